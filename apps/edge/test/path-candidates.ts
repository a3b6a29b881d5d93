import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { section } from "./routing-part.ts";

/** The routing of a state with these links: id, and the networks that they lead to (null: anywhere). */
export const candidatesOf = (
  links: readonly (readonly [id: number, accept: string[] | null])[],
): Pick<DesiredState, "routings"> => ({
  routings: [
    section({
      neighbors: links.map(([id, accept]) => ({
        linkId: id,
        interfaceName: `wl${id}`,
        address4: `10.255.0.${id}`,
        address6: `fd57::${id}`,
        preference: 200,
        client: false,
        accept,
      })),
    }),
  ],
});
