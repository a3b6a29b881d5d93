/** A device that calls again whenever its socket ends, takes every state over, and confirms it. */
import { welcomeProof } from "@weft/contract/device/v1/proof.ts";
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { type FakeEdge, type Line, nonce, runningOf } from "./fake-edge.ts";

/** Pause before it calls again, in ms. */
const pauseMs = 1_000;

export class ServedEdge {
  readonly #edge: FakeEdge;
  #running: StateHead | null = null;
  #line: Line | null = null;
  #isOver = false;
  /** Sections of the last state that the controller confirmed to have. */
  confirmed = "";
  /** States that were confirmed. */
  states = 0;
  /** How often a socket was opened. */
  calls = 0;

  constructor(edge: FakeEdge) {
    this.#edge = edge;
    void this.#run();
  }

  end(): void {
    this.#isOver = true;
    this.#line?.socket.terminate();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#follow().catch(() => undefined);
      this.#line?.socket.terminate();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  /** One socket, until it ends or breaks off. */
  async #follow(): Promise<void> {
    const line = this.#edge.open();
    this.#line = line;
    this.calls += 1;
    const ended = line.closed.then(() => Promise.reject(new Error("the socket ended")));
    // Raced below; between two races nobody waits for it.
    ended.catch(() => undefined);
    const within = <T>(work: Promise<T>): Promise<T> => Promise.race([work, ended]);
    const challenge = await within(line.next("challenge"));
    const own = nonce();
    line.send(this.#edge.hello(challenge.nonce, own));
    const welcome = await within(line.next("welcome"));
    const text = welcomeProof(challenge.nonce, own, this.#edge.node, welcome.epoch);
    if (!this.#edge.isController(text, welcome.signature)) throw new Error("a welcome not signed");
    const running = this.#running && runningOf(this.#running);
    line.send(this.#edge.report({ running }));
    for (;;) {
      const { head } = await within(line.seek("head", 3_600_000));
      const { epoch, serial } = head;
      line.send({ type: "need", epoch, serial, sections: Object.values(head.sections) });
      const { contents } = await within(line.seek("sections"));
      line.send({ type: "outcome", epoch, serial, outcome: "applied", reason: null, findings: [] });
      if ((await within(this.#edge.confirm(head))).status !== 200) continue;
      this.#running = head;
      this.confirmed = JSON.stringify(contents);
      this.states += 1;
      const drift = { steps: 0, hash: "0".repeat(64) };
      line.send({ type: "heartbeat", running: runningOf(head), drift });
    }
  }
}
