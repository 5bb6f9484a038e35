// Whether an address is one of the public internet. Pure. Everything that is not known to be public counts as
// private: loopback, link-local (cloud metadata lives there), carrier-grade and documentation ranges, and
// IPv6 forms that carry such an IPv4 address inside.
import ipaddr from 'ipaddr.js';

/** What kind of address it is: "public", or the name of the range that makes it private. */
export function rangeOf(text: string): string {
  let address: ipaddr.IPv4 | ipaddr.IPv6;
  try {
    // A zone such as fe80::1%eth0 only says through which interface.
    address = ipaddr.parse(text.replace(/%.*$/, ''));
  } catch {
    // Not an address at all: nobody should be connected to it.
    return 'invalid';
  }
  if (address instanceof ipaddr.IPv4) return ipv4Range(address);
  const range = address.range();
  const inner = embeddedIPv4(address, range);
  if (inner !== undefined) {
    const innerRange = ipv4Range(inner);
    return innerRange === 'public' ? 'public' : `${innerRange} (inside of IPv6)`;
  }
  return range === 'unicast' ? 'public' : range;
}

function ipv4Range(address: ipaddr.IPv4): string {
  const range = address.range();
  return range === 'unicast' ? 'public' : range;
}

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, NAT64 or 6to4. */
function embeddedIPv4(address: ipaddr.IPv6, range: string): ipaddr.IPv4 | undefined {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  const at = (start: number): ipaddr.IPv4 => new ipaddr.IPv4(bytes.slice(start, start + 4));
  if (range === 'rfc6052') return at(12);
  if (range === '6to4') return at(2);
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0);
  return isCompatible && !isUnspecifiedOrLoopback(bytes) ? at(12) : undefined;
}

const isUnspecifiedOrLoopback = (bytes: readonly number[]): boolean =>
  bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1;

/** Whether `text` is within an address or CIDR range such as "10.0.0.0/8". False for anything else. */
export function isWithin(text: string, range: string): boolean {
  try {
    const address = ipaddr.process(text);
    if (!range.includes('/')) return ipaddr.process(range).toString() === address.toString();
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  } catch {
    // One of them is a host name.
    return false;
  }
}
