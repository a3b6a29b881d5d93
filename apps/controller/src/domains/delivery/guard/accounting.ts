/** What the changes behind a state may take away, by the rows that were written in them. Pure. */
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import type { CountedKind } from "@weft/contract/device/v1/section.ts";
import { destinationKinds } from "@weft/contract/domains/policies/destination-enums.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";

/** A change behind the state. */
export interface Cause {
  /** "admin: lansection.add". */
  readonly cause: string;
  /** Of the call; empty where no person did it. */
  readonly requestId: string;
  /** It names the node itself. */
  readonly own: boolean;
  /** How many other nodes it names. */
  readonly others: number;
}

type Values = Readonly<Record<string, unknown>> | null;

/** A row that a call of the causes changed or removed, as the operation log has it. */
export interface WrittenRow {
  readonly resource: string;
  readonly rowId: number | null;
  readonly old: Values;
  /** Null: removed. */
  readonly now: Values;
}

/** An object that people set, or that follows from what they set at another node. */
export interface Removed {
  readonly kind: CountedKind;
  readonly spaceId: number | null;
  readonly key: string;
  /** Values that it had, by field. */
  readonly had: Readonly<Record<string, unknown>>;
}

export interface Account {
  /** How many objects of a kind may go besides those that `covers` names. */
  readonly allowance: Readonly<Record<CountedKind, number>>;
  /** True: a row says that this very object goes. */
  readonly covers: (one: Removed) => boolean;
}

interface Given {
  readonly nodeId: number;
  readonly causes: readonly Cause[];
  readonly rows: readonly WrittenRow[];
  readonly nowMs: number;
}

/** Two nodes with four lines each have at most this many links in a space. */
const linksOfPair = 16;
const linksOfLine = 4;
/** Networks of both families that a site usually brings into a space; one with more is asked about. */
const networksOfNode = 20;

/** Objects of a node itself: an entry of a group, or its group, may take the rule with it. */
const policyResources: ReadonlySet<string> = new Set(
  policyFamilies.map(({ manage }) => manage.resource.name),
);

/** Groups of destinations, of which one row is one object of a site; a definition may be the last one of its profile. */
const accelerationResources = [
  ...destinationKinds.map((kind) => `saasGroup.${kind}`),
  "xwanSpeed",
  "xwanSpeedDefine",
];

/** An operator looked at the difference and chose the state. */
const selected = /: nodeState\.(?:goBack|release)$/;
export const isChosen = (causes: readonly Cause[]): boolean =>
  causes.some(({ own, cause }) => own && selected.test(cause));

const differs = ({ old, now }: WrittenRow, field: string): boolean =>
  now === null || canonicalJson(old?.[field] ?? null) !== canonicalJson(now[field] ?? null);

/** Fields of a node without which none of its links stays. */
const nodeSwitches = ["enable", "hostid", "expireTime", "groupid"];
const isSwitched = (row: WrittenRow): boolean => nodeSwitches.some((field) => differs(row, field));

/** Ids of a list as rows and the operation log write them: numbers, or one text. */
const idsOf = (value: unknown): number[] =>
  (Array.isArray(value) ? value : String(value ?? "").split(","))
    .map(Number)
    .filter((id) => id > 0);

/** Nodes that a written space released; all of them when it was removed. */
function membersGone({ old, now }: WrittenRow): number[] {
  const kept = new Set(["popIds", "cpeIds"].flatMap((field) => idsOf(now?.[field])));
  return ["popIds", "cpeIds"].flatMap((field) =>
    // A row that does not list its members released none.
    now !== null && now[field] === undefined
      ? []
      : idsOf(old?.[field]).filter((id) => !kept.has(id)),
  );
}

/** What the rows say about one node. */
function readRows({ nodeId, rows }: Given) {
  const of = (...resources: string[]) =>
    rows.filter(({ resource }) => resources.includes(resource));
  const spaces = of("netSpace");
  const ownNode = of("cpe", "pop").filter(({ rowId }) => rowId === nodeId);
  return {
    of,
    /** Spaces that the node left, or whose links are all others now. */
    left: new Set(
      spaces
        .filter((row) => differs(row, "topology") || membersGone(row).includes(nodeId))
        .map(({ rowId }) => rowId),
    ),
    /** Spaces that the node is no member of any more. */
    gone: new Set(
      spaces.filter((row) => membersGone(row).includes(nodeId)).map(({ rowId }) => rowId),
    ),
    others: spaces.flatMap(membersGone).filter((id) => id !== nodeId).length,
    isSwitched: ownNode.some(isSwitched),
    /** Another enterprise's blacklist is in force. */
    isMoved: ownNode.some((row) => differs(row, "groupid")),
    switchedOthers: of("cpe", "pop").filter((row) => row.rowId !== nodeId && isSwitched(row))
      .length,
    slots: new Set(
      of("line")
        .filter((row) => isOf(row, nodeId))
        .map(({ old }) => old?.slot),
    ),
    isOutOfGroups: ownNode.some((row) => differs(row, "cugEnable")),
    isAclOff: of("cpeCfg").some((row) => row.rowId === nodeId && differs(row, "nXACLEnabled")),
    isServiceChanged: of("clientConfig").length > 0,
  };
}

/** False: the row is about another node. */
const isOf = ({ old }: WrittenRow, nodeId: number): boolean => {
  const of = old?.nCpeID ?? old?.nodeId;
  return of === undefined || of === nodeId;
};

/** Rules that one row of the ACL or the blacklist stood for; "clear" names what it removed. */
const rulesOf = ({ resource, old }: WrittenRow): number =>
  resource === "blacklist" ? 2 : Array.isArray(old?.rules) ? old.rules.length : 1;

/** Calls by which a template's objects come to its CPEs, and leave them. */
const byTemplate = /: routerTemplate(?:Rel|Rollout)?\./;

const policyRows = ({ causes, rows }: Given): number =>
  causes.some(({ cause }) => byTemplate.test(cause))
    ? Number.POSITIVE_INFINITY
    : rows.filter(({ resource }) => policyResources.has(resource)).length;

/** Weighs by kind what the rows account for. */
export function accountOf(given: Given): Account {
  const { causes, nowMs } = given;
  const read = readRows(given);
  const count = (...resources: string[]): number => read.of(...resources).length;
  const isExpired = causes.some(({ own, cause }) => own && cause === "system: expired");
  // A device that reported, or whose term ended: no row records it, and each is one node.
  const silent = causes.filter(({ requestId }) => requestId === "");
  const otherNodes =
    read.others + read.switchedOthers + silent.reduce((sum, { others }) => sum + others, 0);
  const countOwn = (resource: string): number =>
    read.of(resource).filter((row) => isOf(row, given.nodeId)).length;
  const allowance: Record<CountedKind, number> = {
    line: countOwn("line"),
    // An address of each family, and its prefix.
    lan: 2 * countOwn("lansection"),
    route: countOwn("staticroute"),
    // Neighbours' as well: what a site brings along is filtered at the other ends of its links.
    prefix:
      2 * count("lansection") +
      count("staticroute", "routeNotice", "clientConfig") +
      otherNodes * networksOfNode,
    link: otherNodes * linksOfPair + count("line") * linksOfLine + count("link"),
    acl: read
      .of("xaclrules", "blacklist")
      .filter((row) => isOf(row, given.nodeId))
      .reduce((sum, row) => sum + rulesOf(row), 0),
    account: count("account"),
    // Rows of the node itself; an issue of its template, or leaving it, may take all of them.
    policy:
      policyRows(given) +
      count("cug", "xwanCircuit") +
      count(...accelerationResources) +
      (read.isOutOfGroups ? stateLimits.userGroups : 0),
    // A route goes from a node with its rows, and with its links to the hops beside it.
    segment: count("segmentRoute") + otherNodes + count("line", "link"),
    // When it restarts, and what becomes of drift; the preference of a network that stays.
    setting: 2 * count("cpeCfg", "popCfg", "nodeState") + count("routeNotice"),
  };
  const covers = ({ kind, spaceId, had }: Removed): boolean => {
    const isLeft = read.isSwitched || isExpired || (spaceId !== null && read.left.has(spaceId));
    if (kind === "link") return isLeft || read.slots.has(had.slot);
    if (kind === "segment") return isLeft;
    // A node that leaves a space no longer keeps any network in it.
    if (kind === "prefix") {
      return read.isSwitched || isExpired || (spaceId !== null && read.gone.has(spaceId));
    }
    if (kind === "acl") return read.isAclOff || read.isMoved;
    if (kind !== "account") return false;
    const hasEnded = typeof had.until === "number" && had.until <= nowMs;
    return isLeft || hasEnded || read.isServiceChanged;
  };
  return { allowance, covers };
}
