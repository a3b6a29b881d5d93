import { useQueryClient } from "@tanstack/react-query";
import type { Answer } from "@weft/contract/kernel/client.ts";
import type { Endpoint, InputOf } from "@weft/contract/kernel/endpoint.ts";
import { useCallback, useState } from "react";
import { call } from "#client/call.ts";
import { makeStale, resourceOf } from "#client/query.ts";
import { useToast } from "./toast.tsx";

/** Makes what is kept of these resources stale, so that what is on screen is asked again. */
export const useInvalidate = (): ((...resources: readonly string[]) => void) => {
  const client = useQueryClient();
  return useCallback(
    (...resources) => {
      for (const resource of resources) makeStale(client, resource);
    },
    [client],
  );
};

interface Options {
  /** Resources besides the call's own whose rows it changes. */
  readonly touches?: readonly string[];
  /** What the toast says; false: none. */
  readonly done?: string | false;
}

export interface Action<E extends Endpoint> {
  /** The answer, or null when it failed: the toast has shown why. */
  act(input: InputOf<E>): Promise<Answer<E> | null>;
  readonly isActing: boolean;
}

/** An acting call outside of a form. */
export const useAction = <E extends Endpoint>(
  endpoint: E,
  { touches = [], done }: Options = {},
): Action<E> => {
  const toast = useToast();
  const invalidate = useInvalidate();
  const [isActing, setActing] = useState(false);
  const act = async (input: InputOf<E>): Promise<Answer<E> | null> => {
    setActing(true);
    try {
      const answer = await call(endpoint, input);
      if (done !== false) toast.done(done);
      toast.warned(answer.warnings ?? []);
      return answer;
    } catch (error) {
      toast.failed(error);
      return null;
    } finally {
      setActing(false);
      // Also after a failure: that someone else changed the row is a frequent reason.
      invalidate(resourceOf(endpoint), ...touches);
    }
  };
  return { act, isActing };
};
