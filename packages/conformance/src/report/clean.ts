// Texts of providers are shown to people: nothing in them may move a cursor, repaint a line or end a document.

/** One line without control characters; what there was is spelled out. */
export function cleanLine(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/gu,
    (character) => {
      if (character === '\n') return '⏎';
      return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    },
  );
}
