/** The health of a node. Pure: from what the database knows of it. */
import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import type {
  HealthAlarm,
  HealthDetail,
  HealthState,
} from "@weft/contract/domains/devices/health.ts";
import type { LinkExcess } from "@weft/contract/domains/devices/link-quality.ts";

/** What is known of one node. Times are those of the database. */
export interface HealthFacts {
  readonly kind: "cpe" | "pop";
  readonly enabled: boolean;
  readonly isExpired: boolean;
  readonly expireAt: Date | null;
  /** null: no device has used a claim yet. */
  readonly enrolment: EnrolmentState | null;
  readonly enrolledAt: Date | null;
  readonly online: boolean;
  readonly lastSeen: Date | null;
  readonly driftSteps: number;
  readonly driftSince: Date | null;
  /** WAN lines as the device reports them. */
  readonly lines: number;
  readonly linesDown: readonly string[];
  /** The newest configuration; null before the first. */
  readonly state: {
    readonly serial: number;
    readonly ending: "confirmed" | "underway" | "held" | "blocked";
    readonly at: Date;
  } | null;
  /** A configuration was confirmed at some time. */
  readonly hasConfirmed: boolean;
  /** Since when the newest settings cannot be compiled; null: they can. */
  readonly failedAt: Date | null;
  /** Objects without effect on this device. */
  readonly findings: number;
  readonly links: number;
  readonly linksUp: number;
  /** Of those that are up. */
  readonly linksPoor: number;
  /** None was ever measured, and the first configuration was confirmed a moment ago at most. */
  readonly linksNew: boolean;
  /** Last change of a link that is down; other end of one that is up. */
  readonly linkDownAt: Date | null;
  readonly peer: string | null;
  /** Of the links that are beyond a limit the one that is most so, with the WAN link of the node that it leaves by. */
  readonly worst: (LinkExcess & { readonly name: string }) | null;
  /** The other device of its standby group, while that one could not take over; null: it could, or there is none. */
  readonly missing: { readonly name: string; readonly since: Date | null } | null;
  /** The oldest of the most severe open events that more than inform; null: none. */
  readonly alarm: (HealthAlarm & { readonly name: string; readonly at: Date }) | null;
}

export interface Health {
  readonly state: HealthState;
  readonly detail: HealthDetail;
  /** Since when, if the cause has a time; null: since it is called so. */
  readonly since: Date | null;
}

const health = (
  state: HealthState,
  detail: HealthDetail = {},
  since: Date | null = null,
): Health => ({ state, detail, since });

/** What a person decided goes before what is measured: a disabled device that is offline is no trouble. */
function decided(node: HealthFacts): Health | null {
  if (!node.enabled) return health("disabled");
  if (node.enrolment === null) return health("unclaimed");
  if (node.enrolment !== "approved") return health(node.enrolment, {}, node.enrolledAt);
  if (!node.online && node.lastSeen === null) return health("unseen", {}, node.enrolledAt);
  return null;
}

const isHub = ({ kind }: HealthFacts): boolean => kind === "pop";

function withoutContact(node: HealthFacts): Health {
  if (node.linksUp === 0) return health("offline", {}, node.lastSeen);
  // A shared POP's other ends are of tenants who do not see each other.
  const detail = node.peer === null || isHub(node) ? {} : { name: node.peer };
  return health("outOfContact", detail, node.lastSeen);
}

/** Lines and links. Some site of a POP is always down: that is the trouble of the site. */
function paths(node: HealthFacts): Health | null {
  const { links, linksUp, linksDownCount } = { ...node, linksDownCount: node.links - node.linksUp };
  const [line] = node.linesDown;
  if (line !== undefined) {
    // Its links went with it. Some site of a POP is always down: that says nothing of the POP's line.
    const downAt = !isHub(node) && linksDownCount > 0 ? node.linkDownAt : null;
    return health("degraded", { count: node.linesDown.length, of: node.lines, name: line }, downAt);
  }
  if (isHub(node)) return null;
  if (linksDownCount > 0 && linksUp > 0) {
    return health("degraded", { count: linksDownCount, of: links }, node.linkDownAt);
  }
  if (node.missing)
    return health("withoutStandby", { name: node.missing.name }, node.missing.since);
  return poor(node);
}

function poor({ linksPoor: count, links: of, worst }: HealthFacts): Health | null {
  if (count === 0 || worst === null) return null;
  const { name, metric, value, limit, since } = worst;
  return health("poor", { count, of, name, excess: { metric, value, limit } }, since);
}

function configuration(
  { state, failedAt }: HealthFacts,
  ending: "blocked" | "held",
): Health | null {
  if (ending === "blocked" && failedAt !== null) return health("blocked", {}, failedAt);
  return state?.ending === ending ? health(ending, { serial: state.serial }, state.at) : null;
}

function change(node: HealthFacts): Health | null {
  // They come with a configuration, and not when the device is in contact again.
  if (node.findings > 0)
    return health("findings", { count: node.findings }, node.state?.at ?? null);
  if (node.driftSteps > 0) return health("drifted", { count: node.driftSteps }, node.driftSince);
  const held = configuration(node, "held");
  if (held) return held;
  if (node.alarm === null) return null;
  const { name, metric, item, value, limit, at } = node.alarm;
  return health("alarm", { name, alarm: { metric, item, value, limit } }, at);
}

/** The first that applies, in the order of the states: the worst is what a node is called by. */
function inContact(node: HealthFacts): Health {
  // Everything of a device that has never had a configuration is still to come.
  if (!node.hasConfirmed && node.state?.ending === "underway") return health("comingUp");
  if (node.links > 0 && node.linksUp === 0) {
    if (node.linksNew) return health("comingUp");
    return health("cutOff", { count: node.links, of: node.links }, node.linkDownAt);
  }
  const blocked = configuration(node, "blocked") ?? (node.isExpired ? expired(node) : null);
  const trouble = blocked ?? paths(node) ?? change(node);
  if (trouble) return trouble;
  if (node.state?.ending === "underway") {
    return health("delivering", { serial: node.state.serial }, node.state.at);
  }
  return health("online");
}

const expired = ({ expireAt }: HealthFacts): Health => health("expired", {}, expireAt);

/** The health of a node. */
export const healthOf = (node: HealthFacts): Health =>
  decided(node) ?? (node.online ? inContact(node) : withoutContact(node));
