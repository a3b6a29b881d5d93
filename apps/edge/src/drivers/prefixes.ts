/** Sets of networks as spans of addresses, each in one sweep over its sorted prefixes. Pure. */
import { formatAddress, networkOf, spanOf } from "@weft/contract/rules/address.ts";

type Family = 4 | 6;

export interface Span {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}

const order = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/** By first address, the wider before those in it. */
const inOrder = (span: Span, other: Span): number =>
  span.family - other.family || order(span.first, other.first) || order(other.last, span.last);

const spansOf = (networks: readonly string[]): (Span & { readonly network: string })[] =>
  [...new Set(networks.map(networkOf))].flatMap((network) => {
    const span = spanOf(network);
    return span ? [{ ...span, network }] : [];
  });

/** The spans without those that lie in another one, in order of their addresses. */
export const outermostSpans = <One extends Span>(spans: readonly One[]): One[] => {
  const kept: One[] = [];
  let end: Span | null = null;
  for (const span of spans.toSorted(inOrder)) {
    if (end !== null && end.family === span.family && span.last <= end.last) continue;
    end = span;
    kept.push(span);
  }
  return kept;
};

/** The networks without those that lie in another one, in order of their addresses. */
export const outermost = (networks: readonly string[]): string[] =>
  outermostSpans(spansOf(networks)).map(({ network }) => network);

/**
 * Those of the networks, none of which lies in another, that one of the addresses is in; in order of
 * their addresses.
 */
export const coveredBy = (networks: readonly string[], addresses: readonly string[]): string[] => {
  const sorted = addresses
    .flatMap((address) => spanOf(address) ?? [])
    .sort((a, b) => a.family - b.family || order(a.first, b.first));
  let at = 0;
  return spansOf(networks)
    .sort(inOrder)
    .filter(({ family, first, last }) => {
      for (; ; at += 1) {
        const next = sorted[at];
        if (!next || next.family > family) return false;
        if (next.family === family && next.first >= first) return next.first <= last;
      }
    })
    .map(({ network }) => network);
};

const textOf = ({ family, first, last }: Span): string =>
  first === last
    ? formatAddress(family, first)
    : `${formatAddress(family, first)}-${formatAddress(family, last)}`;

/** Appends a span; one that goes on where the last one ends becomes one with it. */
const append = (spans: Span[], span: Span): void => {
  if (span.first > span.last) return;
  const before = spans.at(-1);
  if (before && before.last + 1n === span.first)
    spans[spans.length - 1] = { ...before, last: span.last };
  else spans.push(span);
};

/**
 * Addresses of one family whose longest prefix is one of `inside`, as "first-last" or one address;
 * of equal prefixes that of `except` counts. Ordered, without overlap, none beside another.
 */
export const spansWithout = (
  inside: readonly string[],
  except: readonly string[],
  family: Family,
): string[] => {
  const marked = [
    ...spansOf(inside).map((span) => ({ ...span, isInside: true })),
    ...spansOf(except).map((span) => ({ ...span, isInside: false })),
  ];
  const open: typeof marked = [];
  const spans: Span[] = [];
  let at = 0n;
  const upTo = (last: bigint): void => {
    if (open.at(-1)?.isInside) append(spans, { family, first: at, last });
    at = last + 1n;
  };
  for (const span of marked.filter((one) => one.family === family).sort(inOrder)) {
    for (let top = open.at(-1); top && top.last < span.first; top = open.at(-1)) {
      upTo(top.last);
      open.pop();
    }
    upTo(span.first - 1n);
    open.push(span);
  }
  for (let top = open.at(-1); top; top = open.at(-1)) {
    upTo(top.last);
    open.pop();
  }
  return spans.map(textOf);
};
