// The report as one page that needs nothing else: the matrix, every check with its evidence, a filter, and dark
// mode by the reader's own setting.
import { requirement } from '@tenon/protocol';
import { type CheckResult, mainRequirement } from '../model/check.js';
import { cleanLine } from './clean.js';
import {
  fixOf,
  LEVEL_WORDS,
  matrix,
  type Report,
  type ShownState,
  shownState,
  STATE_WORDS,
} from './report.js';

const STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2024;--soft:#60646c;--line:#e0e1e6;--card:#f9f9fb;
--pass:#18794e;--fail:#ce2c31;--warn:#ab6400;--known:#ab6400;--not_reached:#8e4ec6;--not_applicable:#80838d}
@media(prefers-color-scheme:dark){:root{--bg:#111113;--fg:#edeef0;--soft:#b0b4ba;--line:#363a3f;--card:#18191b;
--pass:#3dd68c;--fail:#ff9592;--warn:#ffca16;--known:#ffca16;--not_reached:#d19dff;--not_applicable:#777b84}}
body{margin:0 auto;max-width:70rem;padding:2rem 1rem;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.3rem;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:2rem 0 .5rem}
.sum span{margin-right:1rem;font-weight:600}.controls{position:sticky;top:0;background:var(--bg);padding:.6rem 0;border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.7rem;align-items:center}
input[type=search]{flex:1 1 14rem;padding:.4rem .6rem;border:1px solid var(--line);border-radius:6px;background:var(--card);color:inherit;font:inherit}
.matrix{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.3rem}
.matrix a{display:flex;gap:.5rem;padding:.3rem .5rem;border:1px solid var(--line);border-radius:6px;color:inherit;text-decoration:none}
.matrix b{white-space:nowrap}.matrix i{margin-left:auto;font-style:normal;font-weight:600}
details{border:1px solid var(--line);border-radius:6px;margin:.35rem 0;background:var(--card)}summary{cursor:pointer;padding:.4rem .7rem;display:flex;gap:.7rem;align-items:baseline}
summary .state{font-weight:600;min-width:7.5rem}summary code{color:var(--soft)}
dl{display:grid;grid-template-columns:6rem 1fr;gap:.2rem .7rem;margin:0;padding:.5rem .8rem;border-top:1px solid var(--line)}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,monospace;font-size:13px;white-space:pre-wrap}
.soft{color:var(--soft)}[hidden]{display:none}
${(['pass', 'fail', 'warn', 'known', 'not_reached', 'not_applicable'] as const).map((state) => `.${state} .state,.c-${state}{color:var(--${state})}`).join('')}
`;

const SCRIPT = `
const text=document.getElementById('text'),boxes=[...document.querySelectorAll('[data-state-box]')];
const apply=()=>{const words=text.value.toLowerCase().split(/\\s+/).filter(Boolean);
const on=new Set(boxes.filter(b=>b.checked).map(b=>b.value));
for(const item of document.querySelectorAll('details')){const hay=item.textContent.toLowerCase();
item.hidden=!on.has(item.dataset.state)||!words.every(w=>hay.includes(w))}
for(const group of document.querySelectorAll('section[data-group]'))group.hidden=![...group.querySelectorAll('details')].some(d=>!d.hidden)};
text.addEventListener('input',apply);boxes.forEach(b=>b.addEventListener('change',apply));
addEventListener('hashchange',()=>{const at=document.querySelector(location.hash);if(at)at.open=true});
`;

export function htmlReport(report: Report, strict: boolean): string {
  const groups = new Map<string, CheckResult[]>();
  for (const result of report.results) {
    groups.set(result.check.group, [...(groups.get(result.check.group) ?? []), result]);
  }
  const words = {
    conforms: 'conforms',
    violates: 'does not conform',
    untested: 'could not be tested',
  };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(`Conformance of ${report.subject}`)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(report.subject)} <span class="c-${report.outcome === 'conforms' ? 'pass' : 'fail'}">${words[report.outcome]}</span></h1>
<p class="sum">${sum(report)}</p>
<p class="soft">${escapeHtml(report.startedAt)}, ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed}</p>
${problems(report)}
<h2>Requirements</h2><div class="matrix">${matrix(report)
    .map((row) => matrixCell(row, report))
    .join('')}</div>
<h2>Checks</h2>
<div class="controls"><input type="search" id="text" placeholder="Filter by any word" aria-label="Filter">${boxes(report)}</div>
${[...groups].map(([group, results]) => section(group, results, strict)).join('\n')}
<script>${SCRIPT}</script></body></html>
`;
}

function sum({ counts }: Report): string {
  return Object.entries(counts)
    .map(
      ([state, count]) =>
        `<span class="c-${state}">${count} ${STATE_WORDS[state as ShownState]}</span>`,
    )
    .join('');
}

function problems(report: Report): string {
  const lines = [
    ...(report.problem === undefined ? [] : [report.problem]),
    ...report.stale.map((entry) => `${entry} is listed as a known failure, but passes.`),
  ];
  return lines.map((line) => `<p class="c-fail">${escapeHtml(line)}</p>`).join('');
}

function boxes({ counts }: Report): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([state]) =>
        `<label class="c-${state}"><input type="checkbox" data-state-box value="${state}" checked> ${STATE_WORDS[state as ShownState]}</label>`,
    )
    .join('');
}

function matrixCell(row: ReturnType<typeof matrix>[number], report: Report): string {
  const first = report.results.find(({ check }) => mainRequirement(check) === row.requirement);
  const title = requirement(row.requirement)?.text ?? '';
  return `<a href="#${idOf(first?.check.id ?? '')}" title="${escapeHtml(title)}"><b>${row.requirement}</b><span>${escapeHtml(row.title)} <small class="soft">${LEVEL_WORDS[row.level]}</small></span><i class="c-${row.state}">${STATE_WORDS[row.state]}</i></a>`;
}

const idOf = (check: string): string => check.replaceAll('.', '-');

function section(group: string, results: readonly CheckResult[], strict: boolean): string {
  return `<section data-group><h2>${group}</h2>${results.map((result) => item(result, strict)).join('')}</section>`;
}

function item(result: CheckResult, strict: boolean): string {
  const state = shownState(result, strict);
  const { check } = result;
  const open = state === 'fail' || state === 'not_reached' ? ' open' : '';
  return `<details id="${idOf(check.id)}" class="${state}" data-state="${state}"${open}><summary><span class="state">${STATE_WORDS[state]}</span><span>${escapeHtml(check.title)}</span><code>${mainRequirement(check)} ${check.id}</code></summary>${evidence(result)}</details>`;
}

function evidence(result: CheckResult): string {
  const { verdict } = result;
  switch (verdict.state) {
    case 'pass':
      return list([
        ['did', verdict.did],
        ['expected', verdict.expected],
        ['saw', verdict.saw],
      ]);
    case 'fail':
      return verdict.findings
        .map(({ did, expected, saw, fix }) =>
          list([
            ['did', did],
            ['expected', expected],
            ['saw', saw],
            ['fix', fixOf(result, fix)],
          ]),
        )
        .join('');
    case 'not_reached':
    case 'not_applicable':
      return list([['reason', verdict.reason]]);
  }
}

function list(rows: readonly (readonly [string, string])[]): string {
  return `<dl>${rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`;
}

export function escapeHtml(text: string): string {
  return cleanLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
