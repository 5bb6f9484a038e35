// Finding what a name on the command line means among the operations of a running kernel.
import { nearest } from '@tenon/protocol';
import type { Kernel, OperationListing } from '@tenon/kernel';
import { UsageError } from '../errors.js';

/** The provider's part of `provider.operation` or `provider__operation`. */
export function providerOf(name: string): string {
  return name.split(/\.|__/, 1)[0] ?? name;
}

/** The operation of that name. Throws UsageError that says why there is none, and what comes close. */
export function findOperation(kernel: Kernel, name: string): OperationListing {
  const listings = kernel.operations();
  const found = listings.find((listing) => listing.name === name || listing.modelName === name);
  if (found !== undefined) return found;
  throw new UsageError(whyNone(kernel, name, listings));
}

/** Why providers are not ready, and which of their operations were refused; one line each. */
export function providerProblems(kernel: Kernel, only?: string): string[] {
  return kernel
    .providers()
    .filter((provider) => only === undefined || provider.name === only)
    .flatMap((provider) => [
      ...(provider.problem === undefined ? [] : [`provider ${provider.name}: ${provider.problem}`]),
      ...provider.refused.flatMap(({ operation, violations }) =>
        violations.map(
          ({ requirement, pointer, message }) =>
            `${provider.name}.${operation} was refused (${requirement}): ${pointer === '' ? '' : `${pointer}: `}${message}`,
        ),
      ),
    ]);
}

function whyNone(kernel: Kernel, name: string, listings: readonly OperationListing[]): string[] {
  const providerName = providerOf(name);
  const provider = kernel.providers().find((candidate) => candidate.name === providerName);
  if (provider === undefined) {
    const names = kernel.providers().map((candidate) => candidate.name);
    const guess = nearest(providerName, names);
    const hint = guess === undefined ? `known are: ${names.join(', ')}` : `did you mean ${guess}?`;
    return [`there is no provider ${providerName}; ${hint}`];
  }
  const problems = providerProblems(kernel, providerName);
  if (provider.problem !== undefined) return problems;
  const names = listings
    .filter((listing) => listing.provider === providerName)
    .map((listing) => listing.name);
  const guess = nearest(name, names);
  const hint = guess === undefined ? `it has: ${names.join(', ')}` : `did you mean ${guess}?`;
  return [
    `${providerName} has no operation ${name.slice(providerName.length + 1)}; ${hint}`,
    ...problems,
  ];
}
