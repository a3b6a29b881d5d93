/** Reports to the controller what paths are like, and which traffic moved. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { maxPaths } from "@weft/contract/device/v1/paths.ts";
import type { Machine } from "#drivers/driver.ts";
import type { Link } from "#link/link.ts";

type Item = MessageFromEdge<"paths">["items"][number];

export interface PathReporterDeps {
  readonly machine: Pick<Machine, "paths" | "moves">;
  readonly link: Pick<Link, "isConnected" | "send" | "arrived">;
}

/** What has to change of a path that keeps its limits to be reported again: percent, and ms. */
const steps = { loss: 0.5, rtt: 10, jitter: 5 } as const;

const differs = (one: number | null, other: number | null, by: number): boolean =>
  one === null || other === null ? one !== other : Math.abs(one - other) >= by;

const isNews = (before: Item | undefined, now: Item): boolean =>
  before === undefined ||
  before.state !== now.state ||
  before.used !== now.used ||
  before.left !== now.left ||
  `${before.classes}` !== `${now.classes}` ||
  differs(before.lossPercent, now.lossPercent, steps.loss) ||
  differs(before.rttMs, now.rttMs, steps.rtt) ||
  differs(before.jitterMs, now.jitterMs, steps.jitter);

export class PathReporter {
  readonly #deps: PathReporterDeps;
  #sent = new Map<number, Item>();

  constructor(deps: PathReporterDeps) {
    this.#deps = deps;
  }

  /** All paths are reported again: a new connection. */
  forget(): void {
    this.#sent = new Map();
  }

  /**
   * Sends the paths that are not as they were last reported.
   * @param readsClasses the controller reads which classes go by them
   */
  paths(readsClasses: boolean): void {
    const { machine, link } = this.#deps;
    if (!link.isConnected) return;
    const now = machine.paths().map(({ link: id, quality, classes, ...rest }): Item => {
      const carried = readsClasses && classes !== undefined ? { classes } : {};
      return { link: id, ...rest, ...carried, ...quality };
    });
    const news = now
      .filter((report) => isNews(this.#sent.get(report.link), report))
      .slice(0, maxPaths);
    if (news.length === 0 || !link.send({ type: "paths", items: news })) return;
    const there = new Set(now.map((report) => report.link));
    for (const id of this.#sent.keys()) if (!there.has(id)) this.#sent.delete(id);
    for (const report of news) this.#sent.set(report.link, report);
  }

  /**
   * Sends which traffic moved, until a controller has it.
   * @param readsClasses the controller reads moves of a class
   */
  async moves(readsClasses: boolean): Promise<void> {
    const { machine, link } = this.#deps;
    const { waiting } = machine.moves;
    const items = waiting.filter(({ trafficClass }) => readsClasses || !trafficClass);
    if (items.length === 0 || !link.send({ type: "moves", items: [...items] })) return;
    if (await link.arrived()) machine.moves.forget(items);
  }
}
