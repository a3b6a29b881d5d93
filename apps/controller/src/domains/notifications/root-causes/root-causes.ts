/**
 * Root causes of the trouble of a fleet. Pure: from the states of its nodes and the links of its sites. What
 * explains several sites is one cause; only what is left over is a cause of its own.
 */
import {
  type HealthState,
  healthRank,
  healthStates,
} from "@weft/contract/domains/devices/health.ts";
import { maxNamed, type RootCause } from "@weft/contract/domains/notifications/root-cause.ts";

/** A node that is not well. */
export interface Trouble {
  readonly id: number;
  readonly kind: "cpe" | "pop";
  readonly name: string;
  readonly enterpriseId: number;
  readonly enterpriseName: string;
  readonly state: HealthState;
  readonly detail: RootCause["detail"];
  readonly since: Date | null;
}

/** The links of one site to one POP (null: to other sites) over one carrier (empty: not given). */
export interface Path {
  readonly siteId: number;
  readonly siteName: string;
  readonly enterpriseId: number;
  readonly enterpriseName: string;
  readonly popId: number | null;
  readonly popName: string;
  readonly isp: string;
  readonly links: number;
  /** Links that are down or poor; their worst loss, and since when. */
  readonly bad: number;
  readonly down: number;
  readonly loss: number | null;
  readonly since: Date | null;
}

/** Sites that have links at all: of a POP, of a carrier, or of both (null: of any). */
export interface Extent {
  readonly popId: number | null;
  readonly isp: string | null;
  readonly sites: number;
}

export interface Facts {
  readonly troubles: readonly Trouble[];
  /** All paths of sites that have a bad one, or are not well. */
  readonly paths: readonly Path[];
  readonly extents: readonly Extent[];
  /** Devices that the controller knows from contact. */
  readonly seen: number;
}

/** Fewer sites are a coincidence, and a cause concerns at least this part of what could have it. */
const minSites = 3;
const minShare = 0.5;
/** Devices that lose contact within this time lost it together; presence is written once a minute. */
const togetherMs = 90_000;
const minTogether = 5;
/** From how many on nodes of one state are one cause: configurations are looked at together, outages one by one. */
const foldOutages = 5;
const foldOthers = 2;

/** States that links explain. */
const ofLinks: ReadonlySet<HealthState> = new Set(["cutOff", "degraded", "poor"]);
const withoutContact: ReadonlySet<HealthState> = new Set(["offline", "outOfContact"]);
const isOutage = (state: HealthState): boolean => ofLinks.has(state) || withoutContact.has(state);

type Named = RootCause["named"][number];

const momentOf = (dates: readonly (Date | null)[]): number[] =>
  dates.flatMap((date) => (date ? [date.getTime()] : [])).toSorted((a, b) => a - b);
const earliest = (dates: readonly (Date | null)[]): Date | null => {
  const [first] = momentOf(dates);
  return first === undefined ? null : new Date(first);
};
/** The median: a site that was down long before the others does not give the time of the failure. */
const typical = (dates: readonly (Date | null)[]): Date | null => {
  const times = momentOf(dates);
  const middle = times[(times.length - 1) >> 1];
  return middle === undefined ? null : new Date(middle);
};
const worst = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? Math.max(...known) : null;
};
const distinct = <Row, Key>(rows: readonly Row[], key: (row: Row) => Key): Row[] => [
  ...new Map(rows.map((row) => [key(row), row])).values(),
];

const nothing = { popId: null, popName: "", isp: "", links: 0, loss: null, detail: {} } as const;

function ofNodes(kind: "contact" | "state" | "node", nodes: readonly Trouble[]): RootCause {
  const sorted = nodes.toSorted((a, b) => healthRank(a.state) - healthRank(b.state));
  const [first] = sorted;
  const named = sorted
    .slice(0, maxNamed)
    .map(
      ({ id, kind: is, name, enterpriseName }): Named => ({ id, kind: is, name, enterpriseName }),
    );
  return {
    ...nothing,
    kind,
    tone: first && healthStates[first.state] === "bad" ? "bad" : "warn",
    state: first?.state ?? null,
    detail: kind === "node" && first ? first.detail : {},
    sites: nodes.length,
    enterprises: distinct(nodes, ({ enterpriseId }) => enterpriseId).length,
    named,
    since: earliest(nodes.map(({ since }) => since)),
  };
}

interface OfPaths {
  readonly kind: "pop" | "carrier";
  readonly popId?: number | null;
  readonly popName?: string;
  readonly isp?: string;
  readonly state?: HealthState;
}

function ofPaths(what: OfPaths, paths: readonly Path[]): RootCause {
  const down = paths.filter((path) => path.down > 0);
  // Sites that are cut off are named before those that are only slow.
  const sites = distinct(
    paths.toSorted((a, b) => Number(b.down > 0) - Number(a.down > 0)),
    ({ siteId }) => siteId,
  );
  return {
    ...nothing,
    state: null,
    ...what,
    tone: down.length * 2 >= paths.length ? "bad" : "warn",
    sites: sites.length,
    enterprises: distinct(sites, ({ enterpriseId }) => enterpriseId).length,
    named: sites.slice(0, maxNamed).map(
      ({ siteId, siteName, enterpriseName }): Named => ({
        id: siteId,
        kind: "cpe",
        name: siteName,
        enterpriseName,
      }),
    ),
    links: paths.reduce((sum, { bad }) => sum + bad, 0),
    loss: worst(paths.map(({ loss }) => loss)),
    since: typical(paths.map(({ since }) => since)),
  };
}

/**
 * The largest group that lost contact within a moment; empty: none that says something.
 * @param seen devices known from contact.
 */
export function lostTogether<Node extends { readonly since: Date | null }>(
  nodes: readonly Node[],
  seen: number,
): readonly Node[] {
  const lost = nodes
    .filter(({ since }) => since !== null)
    .toSorted((a, b) => Number(a.since) - Number(b.since));
  let best: readonly Node[] = [];
  let from = 0;
  for (const [to, node] of lost.entries()) {
    while (Number(node.since) - Number(lost[from]?.since) > togetherMs) from += 1;
    if (to + 1 - from > best.length) best = lost.slice(from, to + 1);
  }
  return best.length >= minTogether && best.length >= seen * minShare ? best : [];
}

/** A cause with what it concerns. */
export interface Found {
  readonly cause: RootCause;
  readonly nodes: readonly Trouble[];
  readonly paths: readonly Path[];
}

const extentKey = (popId: number | null, isp: string | null): string =>
  JSON.stringify([popId, isp]);

/** What is found one after the other, and what of the links it explains. */
class Search {
  readonly found: Found[] = [];
  readonly #facts: Facts;
  readonly #ofSite: ReadonlyMap<number, readonly Path[]>;
  readonly #extents: ReadonlyMap<string, number>;
  /** Paths whose trouble has a cause, and the kind of that cause. */
  readonly #explained = new Map<Path, RootCause["kind"]>();
  /** Nodes that a cause already names. */
  readonly #done = new Set<number>();
  /** Nodes without contact. */
  readonly #lost: ReadonlySet<number>;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#ofSite = Map.groupBy(facts.paths, ({ siteId }) => siteId);
    this.#extents = new Map(
      facts.extents.map(({ popId, isp, sites }) => [extentKey(popId, isp), sites]),
    );
    this.#lost = new Set(
      facts.troubles.filter(({ state }) => withoutContact.has(state)).map(({ id }) => id),
    );
  }

  #open(where: (path: Path) => boolean): Path[] {
    return this.#facts.paths.filter(
      (path) => path.bad > 0 && !this.#explained.has(path) && where(path),
    );
  }

  #isShared(paths: readonly Path[], popId: number | null, isp: string | null): boolean {
    const sites = distinct(paths, ({ siteId }) => siteId).length;
    const all = this.#extents.get(extentKey(popId, isp)) ?? 0;
    return sites >= minSites && sites >= all * minShare;
  }

  #keep(cause: RootCause, paths: readonly Path[], nodes: readonly Trouble[] = []): void {
    this.found.push({ cause, nodes, paths });
    for (const path of paths) this.#explained.set(path, cause.kind);
  }

  contact(): void {
    const away = this.#facts.troubles.filter(({ state }) => withoutContact.has(state));
    const lost = lostTogether(away, this.#facts.seen);
    if (lost.length === 0) return;
    const ids = new Set(lost.map(({ id }) => id));
    for (const id of ids) this.#done.add(id);
    this.#keep(
      ofNodes("contact", lost),
      this.#open(({ siteId }) => ids.has(siteId)),
      lost,
    );
  }

  /** POPs out of order: without contact, or without links although sites at the other ends are in contact. */
  deadPops(): void {
    for (const node of this.#facts.troubles) {
      const { id: popId, kind, name: popName, state, since } = node;
      const isDead = state === "offline" || state === "cutOff";
      if (kind !== "pop" || !isDead || this.#done.has(popId)) continue;
      const paths = this.#open((path) => path.popId === popId);
      const reached =
        state === "offline" ? paths : paths.filter((at) => !this.#lost.has(at.siteId));
      if (reached.length === 0) continue;
      this.#done.add(popId);
      const cause = ofPaths({ kind: "pop", popId, popName, state }, paths);
      this.#keep({ ...cause, tone: "bad", since: since ?? cause.since }, paths, [node]);
    }
  }

  /** POPs at which most sites have trouble, over each of several carriers. */
  pops(): void {
    const ofPop = Map.groupBy(
      this.#open(() => true),
      (path) => path.popId,
    );
    for (const [popId, paths] of ofPop) {
      const carriers = [...Map.groupBy(paths, ({ isp }) => isp)];
      const shared = carriers.filter(([isp, some]) => this.#isShared(some, popId, isp));
      if (popId === null || shared.length < 2 || !this.#isShared(paths, popId, null)) continue;
      this.#keep(ofPaths({ kind: "pop", popId, popName: paths[0]?.popName ?? "" }, paths), paths);
    }
  }

  /** Sites whose paths are bad over each of several carriers: they have trouble of their own. */
  #ownTrouble(): ReadonlySet<number> {
    return new Set(
      [...this.#ofSite].flatMap(([id, all]) => {
        const paths = all.filter((path) => !this.#explained.has(path));
        const carriers = new Set(paths.map(({ isp }) => isp)).size;
        return carriers > 1 && paths.every(({ bad }) => bad > 0) ? [id] : [];
      }),
    );
  }

  /** Carriers with trouble at most of their sites, then those with trouble on the way to one POP. */
  carriers(): void {
    const troubledSites = this.#ownTrouble();
    const candidates = () =>
      Map.groupBy(
        this.#open(({ isp, siteId }) => isp !== "" && !troubledSites.has(siteId)),
        ({ isp }) => isp,
      );
    for (const [isp, paths] of candidates()) {
      if (!this.#isShared(paths, null, isp)) continue;
      this.#keep(ofPaths({ kind: "carrier", isp }, paths), paths);
    }
    for (const [isp, some] of candidates()) {
      for (const [popId, paths] of Map.groupBy(some, (path) => path.popId)) {
        if (popId === null || !this.#isShared(paths, popId, isp)) continue;
        const popName = paths[0]?.popName ?? "";
        this.#keep(ofPaths({ kind: "carrier", isp, popId, popName }, paths), paths);
      }
    }
  }

  /**
   * Whether the state of a node follows from causes that were found. A POP out of order does not take a
   * site's contact away: only a carrier that is its only way does.
   */
  #isExplained({ id, kind, state }: Trouble): boolean {
    if (this.#done.has(id)) return true;
    if (kind !== "cpe" || !(ofLinks.has(state) || withoutContact.has(state))) return false;
    const bad = (this.#ofSite.get(id) ?? []).filter((path) => path.bad > 0);
    const accepted = (path: Path): boolean =>
      ofLinks.has(state)
        ? this.#explained.has(path)
        : this.#explained.get(path) === "carrier" && path.down > 0;
    return bad.length > 0 && bad.every(accepted);
  }

  rest(): void {
    const left = this.#facts.troubles.filter((node) => !this.#isExplained(node));
    const groups = Map.groupBy(left, ({ kind, state }) => `${kind} ${state}`);
    for (const nodes of groups.values()) {
      const [first] = nodes;
      const limit = first && isOutage(first.state) ? foldOutages : foldOthers;
      if (nodes.length >= limit) this.#keep(ofNodes("state", nodes), [], nodes);
      else for (const node of nodes) this.#keep(ofNodes("node", [node]), [], [node]);
    }
  }
}

const tones = ["bad", "warn"] as const;

/** The worst first; of one tone what concerns most sites, then the worse state, then the newest. */
const byWeight = (a: RootCause, b: RootCause): number =>
  tones.indexOf(a.tone) - tones.indexOf(b.tone) ||
  b.sites - a.sites ||
  (a.state ? healthRank(a.state) : -1) - (b.state ? healthRank(b.state) : -1) ||
  Number(b.since ?? 0) - Number(a.since ?? 0);

/** Filter of a request: sites with a link to a POP, over a carrier, of some enterprises; null: any. */
export interface Choice {
  readonly popId: number | null;
  readonly isp: string | null;
  readonly enterprises: ReadonlySet<number> | null;
}

/** Whether a cause concerns what was selected. Its extent stays the whole one: a choice makes no cause smaller. */
function concerns(facts: Facts, { popId, isp, enterprises }: Choice): (found: Found) => boolean {
  const isOf = (id: number): boolean => enterprises === null || enterprises.has(id);
  const ofNodes = (nodes: readonly Trouble[]): readonly Trouble[] =>
    nodes.filter(({ enterpriseId }) => isOf(enterpriseId));
  const isAny = popId === null && isp === null;
  const isChosen = (path: Path): boolean =>
    (popId === null || path.popId === popId) &&
    (isp === null || path.isp === isp) &&
    isOf(path.enterpriseId);
  const inside = new Set<number | null>(facts.paths.filter(isChosen).map(({ siteId }) => siteId));
  if (isp === null) inside.add(popId);
  return ({ nodes, paths }) =>
    paths.some(isChosen) || ofNodes(nodes).some(({ id }) => isAny || inside.has(id));
}

/** The causes of all trouble with the nodes and paths of each, in the order in which they are looked for. */
export function findCauses(facts: Facts): readonly Found[] {
  const search = new Search(facts);
  search.contact();
  search.deadPops();
  search.pops();
  search.carriers();
  search.rest();
  return search.found;
}

/** The causes of all trouble, the worst first, of which those that concern what was selected. */
export function rootCauses(facts: Facts, choice: Choice): RootCause[] {
  return findCauses(facts)
    .filter(concerns(facts, choice))
    .map(({ cause }) => cause)
    .toSorted(byWeight);
}
