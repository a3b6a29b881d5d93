/** Records of flows on their way from one socket: what its enterprise does not keep goes no further. */
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import type { FlowRecording } from "#domains/devices/node-config/public.ts";
import type { Device } from "#domains/devices/presence/public.ts";
import type { FlowSource } from "#metrics-store/flow-intake.ts";
import type { Log } from "./clock.ts";
import type { GatewayStore } from "./store.ts";

type FlowsMessage = MessageFromEdge<"flows">;

export interface FlowHost {
  readonly store: Pick<GatewayStore, "flowRecording">;
  readonly logger: Pick<Log, "warn">;
  /** Resolves true once the records are durable; false: the device keeps them. Never rejects. */
  keepFlows(source: FlowSource, message: FlowsMessage): Promise<boolean>;
  /** Ms on a clock that no time change moves. */
  now(): number;
}

/** Ms that what is known holds: a log that is switched off reaches the device with a state, which may be held for long. */
const knownMs = 120_000;

/** Those of hosts of its present enterprise. @param now ms since 1970 */
const ownItems = (
  { items }: FlowsMessage,
  { since }: FlowRecording,
  now: number,
): FlowsMessage["items"] =>
  since === null
    ? items
    : items.filter(({ ago, durationMs }) => now - ago - durationMs >= since.getTime());

/** The records of one socket. */
export class OwnFlows {
  readonly #host: FlowHost;
  #known: { readonly recording: FlowRecording; readonly at: number } | null = null;
  #isKeeping = false;

  constructor(host: FlowHost) {
    this.#host = host;
  }

  /** The device is sent another state: its log may have been switched. */
  stateSent(): void {
    this.#known = null;
  }

  /**
   * While the log is off nothing is kept, whatever the device goes on to record; of a device that moved nothing is kept of the time
   * before. One message at a time.
   * @returns true when the device may forget the message
   */
  async keep(device: Device, message: FlowsMessage): Promise<boolean> {
    if (this.#isKeeping) return false;
    this.#isKeeping = true;
    try {
      const recording = await this.#recordingOf(device.node);
      if (!recording.isOn) return true;
      const items = ownItems(message, recording, Date.now());
      return items.length === 0 || (await this.#host.keepFlows(device, { ...message, items }));
    } catch (error) {
      // The device keeps it, and sends it again.
      this.#host.logger.warn(
        { err: error, node: device.node },
        "whether the flows of the device are recorded could not be read",
      );
      return false;
    } finally {
      this.#isKeeping = false;
    }
  }

  async #recordingOf(node: number): Promise<FlowRecording> {
    const now = this.#host.now();
    if (this.#known && now - this.#known.at < knownMs) return this.#known.recording;
    const recording = await this.#host.store.flowRecording(node);
    this.#known = { recording, at: now };
    return recording;
  }
}
