// HTML as markdown that people and models can read: the main part of the page, without what only a browser
// needs, with absolute links.
import TurndownService from 'turndown';
import { gfm } from 'turndown-plugin-gfm';

export interface Page {
  readonly title: string;
  readonly markdown: string;
}

const NOISE =
  'script,style,noscript,template,svg,iframe,canvas,object,embed,nav,footer,form,dialog'.split(',');

export function pageToMarkdown(html: string, base: URL): Page {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  service.use(gfm);
  service.remove((node) => NOISE.includes(node.nodeName.toLowerCase()));
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.getAttribute('href') !== null,
    replacement(content, node) {
      const text = content.replaceAll(/\s+/g, ' ').trim();
      const href = absolute(attributeOf(node, 'href'), base);
      if (text === '') return '';
      return href === undefined ? text : `[${text}](${href})`;
    },
  });
  service.addRule('image', {
    filter: 'img',
    replacement(_content, image) {
      const alt = attributeOf(image, 'alt').replaceAll(/\s+/g, ' ').trim();
      const source = absolute(attributeOf(image, 'src'), base);
      return alt === '' || source === undefined ? alt : `![${alt}](${source})`;
    },
  });
  const markdown = service
    .turndown(mainPart(html))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return { title: titleOf(html), markdown };
}

/** What stands in <main> or the only <article>; else the body; else all of it. */
function mainPart(html: string): string {
  const main = /<main[\s>][\s\S]*?<\/main\s*>/i.exec(html)?.[0];
  if (main !== undefined) return main;
  const articles = html.match(/<article[\s>][\s\S]*?<\/article\s*>/gi) ?? [];
  if (articles.length === 1 && articles[0] !== undefined) return articles[0];
  return /<body[\s>][\s\S]*/i.exec(html)?.[0] ?? html;
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([\s\S]*?)<\/title/i.exec(html)?.[1] ?? '';
  // Text content alone, so that the parser reads the entities and nothing is escaped for markdown.
  const plain = new TurndownService();
  plain.escape = (text) => text;
  return plain.turndown(`<p>${title}</p>`).replaceAll(/\s+/g, ' ').trim();
}

/** The page's elements, whose types would need those of a browser. */
function attributeOf(node: unknown, name: string): string {
  return (node as { getAttribute(name: string): string | null }).getAttribute(name) ?? '';
}

function absolute(href: string, base: URL): string | undefined {
  try {
    const url = new URL(href, base);
    return url.protocol === 'http:' || url.protocol === 'https:' || url.protocol === 'mailto:'
      ? url.href
      : undefined;
  } catch {
    // Not a URL: the text alone is shown.
    return undefined;
  }
}
