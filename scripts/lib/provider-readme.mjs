// The tables of operations and settings in the README of a provider, made from what the provider says of itself.
// They stand between <!-- tables --> and <!-- /tables -->; everything around them is written by hand.

const KINDS = { data_source: 'data source', resource: 'resource', interactive: 'interactive' };

/** The README with its tables as they should be. Throws when the marks are missing. */
export function withTables(readme, provider) {
  const pattern = /(<!-- tables -->\n)[\s\S]*?(<!-- \/tables -->)/;
  if (!pattern.test(readme)) {
    throw new Error(
      `the README of ${provider.identity.name} lacks <!-- tables --> … <!-- /tables -->`,
    );
  }
  return readme.replace(pattern, (_, open, close) => `${open}\n${tables(provider)}\n\n${close}`);
}

function tables({ schema }) {
  const operations = [
    '## Operations',
    '',
    ...table(
      ['operation', 'kind, risk', 'what it does'],
      schema.operations.map((one) => [
        `\`${one.name}\``,
        one.kind === 'resource' ? `${KINDS[one.kind]}, ${one.risk}` : KINDS[one.kind],
        one.description,
      ]),
    ),
    '',
    ...schema.operations.flatMap(inputSection),
  ];
  if (schema.config.length === 0) return [...operations, 'It has no settings.'].join('\n');
  return [
    ...operations,
    '## Settings',
    '',
    ...table(
      ['setting', 'type', 'default', 'meaning'],
      schema.config.map((one) => [
        `\`${one.name}\``,
        one.type.replace('_', ' of ').replace('list of string', 'list of strings'),
        one.required
          ? 'required'
          : one.default === undefined
            ? ''
            : `\`${JSON.stringify(one.default)}\``,
        `${one.description}${one.sensitive ? ' Secret: masked everywhere.' : ''}`,
      ]),
    ),
  ].join('\n');
}

function inputSection(operation) {
  const names = Object.keys(operation.input.properties);
  if (names.length === 0) return [];
  return [
    `### ${operation.name}`,
    '',
    ...table(
      ['argument', 'type', 'meaning'],
      names.map((name) => {
        const schema = operation.input.properties[name];
        const optional = operation.input.required.includes(name) ? '' : ', optional';
        return [`\`${name}\``, `${typeOf(schema)}${optional}`, schema.description ?? ''];
      }),
    ),
    '',
  ];
}

function typeOf(schema) {
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}s`;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties);
    return names.length === 0 ? 'object' : `{ ${names.join(', ')} }`;
  }
  return schema.type;
}

/** A Markdown table; cells keep to one line. */
function table(head, rows) {
  const line = (cells) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}
