// Writes interop/vectors/tenon.txt: the bytes that our own code makes of every case, for the peers to check.
import { readFileSync, writeFileSync } from 'node:fs';
import { fromJson, toBinary } from '@bufbuild/protobuf';
import { registry } from './cases.mjs';

/** "HEX NAME" a line, in the order of the cases. */
export async function tenonVectors() {
  const types = await registry();
  const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
  const lines = cases.map((one) => {
    const descriptor = types.getMessage(one.message);
    const bytes = toBinary(descriptor, fromJson(descriptor, one.json, { registry: types }));
    return `${Buffer.from(bytes).toString('hex')} ${one.name}`;
  });
  return `${lines.join('\n')}\n`;
}

if (process.argv[1]?.endsWith('tenon.mjs')) {
  writeFileSync(new URL('tenon.txt', import.meta.url), await tenonVectors());
}
