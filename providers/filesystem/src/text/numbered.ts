// The numbers in front of lines: how read_file writes them, and how they are recognized when they come back (F4).

/** `  12: text`, right-aligned so that the text of neighbouring lines is aligned too. */
export function numberedLine(number: number, text: string, width = 4): string {
  return `${String(number).padStart(width)}: ${text}`;
}

// Ours, and the forms in which other tools number lines: "12→text", "12\ttext", "12| text".
const NUMBERED = /^ {0,8}\d{1,9}(?:: |:$|\t|→|\| ?)/;

/** The text without its numbers, when every line of it has one; undefined otherwise. */
export function withoutNumbers(text: string): string | undefined {
  const lines = text.split('\n');
  const last = lines.length - 1;
  const stripped: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === last && line === '' && last > 0) {
      stripped.push('');
      continue;
    }
    const found = NUMBERED.exec(line);
    if (found === null) return undefined;
    stripped.push(line.slice(found[0].length));
  }
  return stripped.join('\n');
}
