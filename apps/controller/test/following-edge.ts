/** A device with a LAN that takes over every state that comes, until a test has it refuse them or leave. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { type FakeEdge, type Line, runningOf } from "./fake-edge.ts";
import type { LoopWorld } from "./loop-world.ts";

/** Capabilities of a device that carries out these families of policy objects. */
const able = (...families: string[]) =>
  ["wireguard.kernel", ...families.map((family) => `policy.${family}`)].map((name) => ({
    name,
    can: true,
    reason: null,
  }));

export class FollowingEdge {
  readonly id: number;
  /** Why it refuses the next state that comes with objects of policies; null: it takes it over. */
  refusal: string | null = null;
  /** What it reports of the states that it takes over. */
  findings: readonly Finding[] = [];
  readonly #edge: FakeEdge;
  #line: Line;
  #running: StateHead | null = null;

  private constructor(id: number, edge: FakeEdge, line: Line) {
    this.id = id;
    this.#edge = edge;
    this.#line = line;
  }

  static async at(world: LoopWorld, ...can: string[]): Promise<FollowingEdge> {
    const site = await world.addSite();
    await world.addLan(site, site.id);
    return FollowingEdge.of(site.id, await world.enrolled(site), ...can);
  }

  /** A device that was approved. */
  static async of(id: number, edge: FakeEdge, ...can: string[]): Promise<FollowingEdge> {
    const device = new FollowingEdge(id, edge, await edge.connect());
    device.learns(...can);
    device.#follow();
    return device;
  }

  learns(...can: string[]): void {
    const running = this.#running && runningOf(this.#running);
    this.#line.send(this.#edge.report({ capabilities: able(...can), running }));
  }

  leave(): void {
    this.#line.socket.close();
  }

  async comeBack(...can: string[]): Promise<void> {
    this.#line = await this.#edge.connect();
    this.learns(...can);
    this.#follow();
  }

  /** What goes wrong while it is connected is an error of its file: it rejects, and nothing awaits it. */
  #follow(): void {
    const line = this.#line;
    void line.follow("head", ({ head }) => this.#take(line, head));
  }

  async #take(line: Line, head: StateHead): Promise<void> {
    const { epoch, serial } = head;
    line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
    await line.seek("sections");
    // States for other reasons may still be on their way when a test sends a version.
    const reason = head.sections.policy ? this.refusal : null;
    if (reason !== null) this.refusal = null;
    const outcome = reason === null ? "applied" : "failed";
    const { findings } = this;
    line.send({ type: "outcome", epoch, serial, outcome, reason, findings });
    if (reason !== null || (await this.#edge.confirm(head)).status !== 200) return;
    this.#running = head;
    const drift = { steps: 0, hash: "0".repeat(64) };
    line.send({ type: "heartbeat", running: runningOf(head), drift });
  }
}
