// One turn of an agent: the tools for a model, what the model wants to call, and the results for it.
import {
  configFromObject,
  createKernel,
  toAnthropicToolResults,
  toAnthropicTools,
} from '@tenon/kernel';

const config = configFromObject({
  provider: { files: { command: ['tenon-provider-filesystem'], dev: true } },
});
const kernel = await createKernel({ config });
const session = await kernel.openSession({ workingDirectory: process.cwd() });

console.log(toAnthropicTools(session.operations()).map((tool) => tool.name));
// What a model answers with; here it is made up.
const uses = [
  { type: 'tool_use', id: 'toolu_1', name: 'files__list_directory', input: { path: '.' } },
];
const calls = uses.map(({ id, name, input }) => ({ id, name, arguments: input }));
console.log(toAnthropicToolResults(calls, await session.runTurn(calls)));

await session.end();
await kernel.close();
