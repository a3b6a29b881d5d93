/** Renders a part of the console for a test, with the answers it would have got already there. */
import { QueryClientProvider } from "@tanstack/react-query";
import type { Grant } from "@weft/contract/access.ts";
import type { Endpoint, InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import "./contract-texts.ts";
import { createQueryClient, queryKey } from "./query.ts";
import { type Session, SessionContext } from "./session.tsx";

/** A session of an ordinary user (not user 1, who may everything). */
const sessionWith = (authorities: readonly Grant[]): Session => ({
  userId: 2,
  loginName: "ops",
  roles: [],
  roleType: 2,
  groupid: 1,
  authorities: [...authorities],
  enterpriseName: "",
  perms: [],
  menus: [],
  passwordPolicy: "spec",
  mustAddFactor: false,
  sysName: "",
  logo: "",
  colums: {},
  cpeColomn: "",
  clientColomn: "",
});

export interface Known {
  readonly key: readonly unknown[];
  readonly answer: { readonly data: unknown; readonly count: number | null };
}

/** An answer that is already there. */
export const known = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  data: OutputOf<E>,
): Known => ({
  key: queryKey(endpoint, input),
  answer: { data, count: Array.isArray(data) ? data.length : null },
});

/**
 * The HTML as it is first rendered for a user with these permissions.
 * @param at the address
 */
export const renderForTest = (
  part: ReactNode,
  authorities: readonly Grant[],
  answers: readonly Known[] = [],
  at = "/",
): string => {
  const client = createQueryClient();
  for (const { key, answer } of answers) client.setQueryData(key, answer);
  return renderToString(
    <QueryClientProvider client={client}>
      <SessionContext value={sessionWith(authorities)}>
        <RouterProvider
          router={createMemoryRouter([{ path: "*", element: part }], { initialEntries: [at] })}
        />
      </SessionContext>
    </QueryClientProvider>,
  );
};
