// Whether the text of a JSON number survives as a double.

export type ExactNumber =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a JSON number literal. Refused are integers beyond 2^53 that a double cannot hold (9007199254740993),
 * in whatever spelling, numbers too large (1e400) and non-zero numbers so small that they would become 0.
 * A decimal fraction such as 0.1 is the nearest double, as everywhere; and so is an integer whose digits are
 * just those that a double is printed with (1e23), since it reads back as the same double on both sides.
 */
export function exactNumber(text: string): ExactNumber {
  const value = Number(text);
  if (!Number.isFinite(value)) {
    return refuse(text, 'is larger than a double can hold (about 1.8e308)');
  }
  if (value === 0) {
    return /[1-9]/.test(mantissa(text))
      ? refuse(text, 'is too small for a double')
      : { ok: true, value };
  }
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER || survives(text, value))
    return { ok: true, value };
  return refuse(
    text,
    `would be rounded to ${BigInt(value)}, as a double holds integers exactly only up to 2^53`,
  );
}

function refuse(text: string, why: string): ExactNumber {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return { ok: false, message: `the number ${shown} ${why}; send it as a string` };
}

function mantissa(text: string): string {
  return text.split(/[eE]/, 1)[0] ?? '';
}

function survives(text: string, value: number): boolean {
  const given = decimal(text);
  return given === decimal(String(value)) || given === decimal(String(BigInt(value)));
}

/** Sign, significant digits and power of ten, so that equal decimals of any spelling are equal texts. */
function decimal(text: string): string {
  const [head = '', exponent = '0'] = text.toLowerCase().split('e');
  const negative = head.startsWith('-');
  const [whole = '', fraction = ''] = head.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${negative ? '-' : ''}${significant}e${power}`;
}
