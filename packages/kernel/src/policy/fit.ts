// How a call stands to a rule, or to one pattern of it.

/** `why` is a function because most rules are passed over, and nobody asks them why. */
export type Fit =
  | { readonly fits: 'yes' }
  /** It cannot be told. Never enough to allow; for a rule that denies or asks, reason enough to ask. */
  | { readonly fits: 'maybe'; readonly why: () => string }
  | { readonly fits: 'no'; readonly why: () => string };

/** Which side to err on: a rule that allows must be certain, one that denies or asks must miss nothing. */
export type Side = 'certain' | 'possible';
