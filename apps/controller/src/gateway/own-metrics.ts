/** Metrics for charts on their way from one socket: what is not the device's own goes no further. */
import { hitItem } from "@weft/contract/device/v1/hit-counter.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import type { Log } from "./clock.ts";
import { createBucket } from "./limits.ts";
import type { GatewayStore } from "./store.ts";

type MetricsMessage = MessageFromEdge<"metrics">;
type Own = Awaited<ReturnType<GatewayStore["ownMetrics"]>>;
/** As `ownMetrics` of the store is called and answers. */
const itemOf = ({ family, id }: NonNullable<MetricsMessage["hits"]>[number]): string =>
  hitItem(family, id);

export interface MetricHost {
  readonly store: Pick<GatewayStore, "ownMetrics">;
  readonly logger: Pick<Log, "warn">;
  /** Resolves true once the metrics are durable; never rejects. */
  keepMetrics(node: number, metrics: MetricsMessage): Promise<boolean>;
  /** Ms on a clock that no time change moves. */
  now(): number;
  /** Rows were left out that name links of other nodes. */
  foreignMetrics(rows: number): void;
}

/** What a node has changes: a name that is not known is looked for again, but not for every message. */
const reads = { burst: 4, perSecond: 0.1 } as const;
/**
 * Ms that what is known holds while no state is sent to the device: what a node has follows from its rows, of which it gets
 * another state. A fleet that does nothing would otherwise ask for all that it has again and again.
 */
const knownMs = 600_000;

/**
 * Rows of a message that are of its device: links that it probes, interfaces that it is configured with,
 * objects that it carries out.
 * A row names its series, so that nothing else bounds their number. Pure.
 */
const ownRows = (
  { hits = [], ...metrics }: MetricsMessage,
  { links, interfaces, objects }: Own,
): MetricsMessage => {
  const once = <Row>(rows: readonly Row[], nameOf: (row: Row) => unknown): Row[] => [
    ...new Map(rows.map((row) => [nameOf(row), row])).values(),
  ];
  return {
    ...metrics,
    lines: once(metrics.lines, (row) => row.interfaceName).filter((row) =>
      interfaces.has(row.interfaceName),
    ),
    links: once(metrics.links, (row) => row.id).filter((row) => links.has(row.id)),
    hits: once(hits, itemOf).filter((row) => objects.has(itemOf(row))),
  };
};

/** The metrics of one socket. */
export class MetricBuffer {
  readonly #host: MetricHost;
  readonly #mayRead: () => boolean;
  #own: Own | null = null;
  #readAt = Number.NEGATIVE_INFINITY;
  /** What the last read was about: it would find no more. */
  #lookedUp: ReadonlySet<string | number> = new Set();
  #isKeeping = false;
  #isFlagged = false;

  constructor(host: MetricHost) {
    this.#host = host;
    this.#mayRead = createBucket(reads.burst, reads.perSecond, host.now);
  }

  /** The device is sent another state: what it has is read again with its next message. */
  stateSent(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Keeps what is the device's own. One message at a time: a device that does not wait for its answers gets
   * none for the rest.
   * @returns true when the device may forget the message; rows that were left out never come again
   */
  async keep(device: Device, metrics: MetricsMessage): Promise<boolean> {
    if (this.#isKeeping) return false;
    this.#isKeeping = true;
    try {
      const own = await this.#ownOf(device, metrics);
      return await this.#host.keepMetrics(device.node, ownRows(metrics, own));
    } catch (error) {
      // The device keeps it, and sends it again.
      this.#host.logger.warn(
        { err: error, node: device.node },
        "the links and interfaces of the device could not be read",
      );
      return false;
    } finally {
      this.#isKeeping = false;
    }
  }

  async #ownOf({ node }: Device, metrics: MetricsMessage): Promise<Own> {
    const { store, now } = this.#host;
    const ids = new Set(metrics.links.map(({ id }) => id));
    const objects = (metrics.hits ?? []).map(itemOf);
    const interfaces = metrics.lines.map(({ interfaceName }) => interfaceName);
    const lookedUp = new Set([...ids, ...interfaces, ...objects]);
    const isKnown =
      now() - this.#readAt < knownMs && [...lookedUp].every((one) => this.#lookedUp.has(one));
    let own = this.#own;
    if (own === null || (!isKnown && this.#mayRead())) {
      own = await store.ownMetrics(node, [...ids], objects);
      this.#own = own;
      this.#readAt = now();
      this.#lookedUp = lookedUp;
    }
    this.#flag(node, metrics, own);
    return own;
  }

  #flag(node: number, metrics: MetricsMessage, { foreign }: Own): void {
    const found = metrics.links.filter(({ id }) => foreign.has(id));
    if (found.length === 0) return;
    this.#host.foreignMetrics(found.length);
    if (this.#isFlagged) return;
    this.#isFlagged = true;
    const links = found.slice(0, 5).map(({ id }) => id);
    this.#host.logger.warn(
      { node, links, count: found.length },
      "metrics of links of other nodes were ignored",
    );
  }
}
