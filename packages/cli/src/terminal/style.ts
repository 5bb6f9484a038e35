// Colours and weights as SGR sequences. Text is expected to be sanitized before it is styled.

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type StyleName = keyof typeof CODES;

/** Wraps text in a style, or gives it back as it is where there is no colour. */
export type Styler = (style: StyleName | readonly StyleName[], text: string) => string;

/** Makes the function that styles text; `color` false makes one that leaves text alone. */
export function createStyler(color: boolean): Styler {
  if (!color) return (_, text) => text;
  return (style, text) => {
    if (text === '') return '';
    const names: readonly StyleName[] = typeof style === 'string' ? [style] : style;
    return names.reduce((inner, name) => {
      const [on, off] = CODES[name];
      return `\u001b[${on}m${inner}\u001b[${off}m`;
    }, text);
  };
}
