// The one place that says how deep nested data may be.

/**
 * Levels of objects and arrays that JSON of the protocol may have: `{}` is one level, `[[1]]` two. Deeper
 * data is refused with a message that names this limit, on every path: parsing, checking, encoding,
 * decoding. Far below what would exhaust the stack, far above what people and models write.
 */
export const MAX_JSON_DEPTH = 256;

/** Levels of messages below the outermost that are decoded; enough for MAX_JSON_DEPTH inside any message. */
export const MAX_MESSAGE_DEPTH = 4 * MAX_JSON_DEPTH;
