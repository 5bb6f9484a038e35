// What a body is shown as: HTML as markdown, JSON and text as they are, anything else as a description.
import { decodeText, looksBinary } from './decode.js';
import { pageToMarkdown } from './markdown.js';

export interface Presented {
  readonly content: string;
  readonly title: string;
  /** Whether something is left out of the content. */
  readonly truncated: boolean;
}

export function present(
  body: Buffer,
  contentType: string,
  url: URL,
  options: { readonly raw: boolean; readonly maxCharacters: number },
): Presented {
  if (looksBinary(body)) {
    const kind = contentType === '' ? 'of no stated type' : contentType;
    return {
      content: `(${body.length} bytes of binary data, ${kind})`,
      title: '',
      truncated: false,
    };
  }
  const text = decodeText(body, contentType);
  const isHtml = /\b(?:x?html)\b/i.test(contentType) || /^\s*<(?:!doctype html|html)/i.test(text);
  const page = isHtml && !options.raw ? pageToMarkdown(text, url) : { title: '', markdown: text };
  const { maxCharacters } = options;
  const truncated = page.markdown.length > maxCharacters;
  const content = truncated
    ? `${whole(page.markdown.slice(0, maxCharacters))}\n… (cut at ${maxCharacters} characters)`
    : page.markdown;
  return { content, title: page.title, truncated };
}

/** Without half of a character at the end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
