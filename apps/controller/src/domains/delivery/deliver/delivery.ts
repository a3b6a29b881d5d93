/** Which state a device gets next, and the outcomes of those it got. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { compareStates, type StateId } from "@weft/contract/device/v1/state.ts";
import { sql, type Transaction } from "kysely";
import { type Pools, scopedRead } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { SharedTexts } from "./shared-texts.ts";

/** What the socket knows of its device. */
export interface DeviceView {
  readonly running: (StateId & { readonly digest: string }) | null;
  /** Sent on this socket last; null: nothing yet. */
  readonly sent: StateId | null;
  /** What it may have to report of states of earlier sockets is reported. */
  readonly isSettled: boolean;
}

export interface DeliveryTimes {
  /** Ms after which a state that the device stopped reporting on no longer blocks newer ones. */
  readonly silentMs: number;
  /** Ms from a revert without commit confirmation to the one automatic retry. */
  readonly retryAfterMs: number;
  /** The same when the edge itself was stopped; longer than the edge blocks what it took back. */
  readonly retryAfterStopMs: number;
}

const isSame = (one: StateId | null, other: StateId | null): boolean =>
  one !== null && other !== null && compareStates(one, other) === 0;

/** `keep`: send it again unchanged; `deliver`: send it and record that. */
export type Verdict = "nothing" | "keep" | "deliver";

/**
 * What to do with the newest state. Pure.
 * @param isBusy an older state that was sent on this socket has not ended yet
 */
export function evaluate(
  newest: StateId & {
    readonly digest: string;
    readonly outcome: string;
    readonly retryable: boolean;
  },
  device: DeviceView,
  isBusy: boolean,
): Verdict {
  const { running, sent } = device;
  // A device that runs it needs nothing; one that runs a newer state would not take it.
  if (running !== null && compareStates(running, newest) > 0) return "nothing";
  if (isSame(running, newest) && running?.digest === newest.digest) return "nothing";
  if (isBusy) return "nothing";
  switch (newest.outcome) {
    case "waiting":
      return "deliver";
    case "reverted":
      // A device that reports the revert once more must not take that for the end of the retry.
      return newest.retryable && device.isSettled ? "deliver" : "nothing";
    // Another socket had it sent; or the device was replaced, or lost what it had confirmed.
    case "delivered":
    case "applied":
    case "confirmed":
      return device.isSettled && !isSame(sent, newest) ? "keep" : "nothing";
    default:
      return "nothing";
  }
}

/** Outcomes after which this reported outcome of a state is accepted. */
const outcomesBefore = (reported: MessageFromEdge<"outcome">["outcome"]) =>
  // What reverts after we committed its confirmation did not get our answer.
  reported === "applied"
    ? (["delivered"] as const)
    : (["delivered", "applied", "confirmed", "superseded"] as const);

/** What a report of an outcome changes: the state, or what of it does not act; null: nothing. Pure. */
export function outcomeChanges(
  state: { readonly outcome: string; readonly isSent: boolean } | null,
  reported: MessageFromEdge<"outcome">["outcome"],
): "state" | "findings" | null {
  // Reports about a state that was not sent, or that has ended already, change nothing.
  if (!state?.isSent) return null;
  // From what the device reported before it runs the state: from then on only its findings change.
  if (reported === "applied" && ["applied", "confirmed"].includes(state.outcome)) return "findings";
  const before: readonly string[] = outcomesBefore(reported);
  return before.includes(state.outcome) ? "state" : null;
}

/** What a device needs of its states. */
export interface SectionRequest {
  readonly node: number;
  readonly hashes: readonly string[];
}

export interface Section {
  readonly hash: string;
  /** JSON as it is stored; canonical unless the row is from before that was so. */
  readonly text: string;
}

/**
 * Contents of nodes' own sections and of the spaces that their newest states name, by hash; all other hashes are left
 * out.
 * @param requests of different nodes
 * @param shared contents of spaces that were read before; those that are read now are added
 * @returns those of each, in their order
 */
export async function readSections(
  pools: Pools<Database>,
  requests: readonly SectionRequest[],
  shared: SharedTexts,
): Promise<readonly Section[][]> {
  const scope = { kind: "nodes", nodeIds: requests.map(({ node }) => node) } as const;
  return scopedRead(pools.gateway, scope, async (trx) => {
    const { own, spaces } = await readOwn(trx, requests);
    const texts = new Map(requests.map(({ node }) => [node, new Map(own.get(node))]));
    const lacking = requests.flatMap(({ node, hashes }) => {
      const ids = spaces.get(node) ?? [];
      return hashes.flatMap((hash) => {
        if (texts.get(node)?.has(hash)) return [];
        const text = ids.map((id) => shared.get(id, hash)).find((known) => known !== undefined);
        if (text !== undefined) texts.get(node)?.set(hash, text);
        return text === undefined && ids.length > 0 ? [{ node, hash, ids }] : [];
      });
    });
    const found = await readShared(trx, lacking);
    for (const { spaceId, hash, text } of found) shared.add(spaceId, hash, text);
    for (const { node, hash, ids } of lacking) {
      const row = found.find((one) => one.hash === hash && ids.includes(one.spaceId));
      if (row) texts.get(node)?.set(hash, row.text);
    }
    return requests.map(({ node }) =>
      [...(texts.get(node) ?? [])].map(([hash, text]) => ({ hash, text })),
    );
  });
}

const spaceName = "space.";
/** A device asks for sections of the newest state, or of one that was the newest a moment ago. */
const statesUnderWay = 10;

/** Own sections of each node by hash, and the spaces that its newest states name. */
async function readOwn(
  trx: Transaction<Database>,
  requests: readonly SectionRequest[],
): Promise<{
  readonly own: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly spaces: ReadonlyMap<number, readonly number[]>;
}> {
  const requested = requests.flatMap(({ node, hashes }) =>
    [...new Set(hashes)].map((hash) => ({ node, hash })),
  );
  const { rows } = await sql<
    | (Section & { readonly node: number; readonly spaces: null })
    | { readonly node: number; readonly hash: null; readonly spaces: readonly number[] }
  >`
    select a.node_id as node, a.hash, s.content::text as text, null::bigint[] as spaces
    from unnest(${requested.map(({ node }) => node)}::bigint[],
      ${requested.map(({ hash }) => hash)}::text[]) as a (node_id, hash)
    -- Of a node that was moved both enterprises may have the content.
    cross join lateral (
      select one.content from state_section one
      where (one.node_id, one.hash) = (a.node_id, a.hash) limit 1) s
    union all
    select n.node_id, null, null, array(
      select distinct substr(name, ${spaceName.length + 1}::int)::bigint from (
        select t.sections from node_state t where t.node_id = n.node_id and not t.held
        order by t.epoch desc, t.serial desc limit ${statesUnderWay}
      ) newest, jsonb_object_keys(newest.sections) name
      where starts_with(name, ${spaceName}))
    from unnest(${requests.map(({ node }) => node)}::bigint[]) as n (node_id)`.execute(trx);
  const own = new Map(requests.map(({ node }) => [node, new Map<string, string>()]));
  const spaces = new Map<number, readonly number[]>();
  for (const row of rows) {
    if (row.hash === null) spaces.set(row.node, row.spaces);
    else own.get(row.node)?.set(row.hash, row.text);
  }
  return { own, spaces };
}

/** Contents of spaces, each once, however many nodes need it. */
async function readShared(
  trx: Transaction<Database>,
  lacking: readonly { readonly hash: string; readonly ids: readonly number[] }[],
): Promise<readonly (Section & { readonly spaceId: number })[]> {
  if (lacking.length === 0) return [];
  const spaces = [...new Set(lacking.flatMap(({ ids }) => ids))];
  const hashes = [...new Set(lacking.map(({ hash }) => hash))];
  const { rows } = await sql<Section & { readonly spaceId: number }>`
    select space_id as "spaceId", hash, content::text as text
    from weft.space_contents(${spaces}::bigint[], ${hashes}::text[])`.execute(trx);
  return rows;
}
