/**
 * Which calls ask the metrics store while they hold a connection to the database. It may take its time, or hang, and what waits
 * for it must not have all connections (call-turns.ts). Found by what calls do and not declared, so that none is forgotten: the
 * first one of each kind counts as any other call.
 */
import { AsyncLocalStorage } from "node:async_hooks";

export interface MetricReads {
  /** Calls of this kind have asked the metrics store. */
  has(call: string): boolean;
  /** Runs a call, by the id of its endpoint. */
  during<T>(call: string, work: () => Promise<T>): Promise<T>;
  /** The store, whose use is noted. */
  watched<Store extends object>(store: Store): Store;
}

export function createMetricReads(): MetricReads {
  const calls = new AsyncLocalStorage<string>();
  const found = new Set<string>();
  const watched = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value === "object" && value !== null) return watched(value);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          const call = calls.getStore();
          if (call !== undefined) found.add(call);
          return Reflect.apply(value, target, given);
        };
      },
    });
  return {
    has: (call) => found.has(call),
    during: (call, work) => calls.run(call, work),
    watched,
  };
}
