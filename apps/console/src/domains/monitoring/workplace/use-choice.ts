import { useNumberParam } from "#client/paths.ts";
import { useSearch } from "#client/search.ts";

/** A POP, a carrier, or both that the page is about; null: all. */
export interface Choice {
  readonly popId: number | null;
  readonly isp: string | null;
}

/** As the contract limits it: people edit addresses. */
const maxCarrierLength = 32;

/** What the address says was selected, and how to choose: the same once more chooses nothing. */
export function useChoice(): readonly [Choice, (next: Choice) => void] {
  const [search, change] = useSearch();
  const carrier = (search.get("isp") ?? "").slice(0, maxCarrierLength);
  const choice: Choice = { popId: useNumberParam("popId"), isp: carrier === "" ? null : carrier };
  const choose = ({ popId, isp }: Choice): void => {
    const isSame = popId === choice.popId && isp === choice.isp;
    change(
      (now) => {
        const next = new URLSearchParams(now);
        next.delete("popId");
        next.delete("isp");
        if (!isSame && popId !== null) next.set("popId", String(popId));
        if (!isSame && isp !== null) next.set("isp", isp);
        return next;
      },
      { preventScrollReset: true },
    );
  };
  return [choice, choose];
}
