import { routerTemplatePreview } from "@weft/contract/domains/templates/router-template.ts";
import { useEffect, useState } from "react";
import { type CallError, call } from "#client/call.ts";
import { type IssueGroup, type IssuePreview, mergeGroups } from "./issue-summary.ts";

/** CPEs of one call: each is compiled. */
const limit = 20;

interface Found {
  readonly groups: readonly IssueGroup[];
  /** All CPEs of the template; null: not known yet. */
  readonly cpes: number | null;
  /** Of them, those that the groups hold. */
  readonly done: number;
  readonly isWhole: boolean;
  readonly error: CallError | null;
}

const nothing: Found = { groups: [], cpes: null, done: 0, isWhole: false, error: null };

/** What the issue of a template comes to, page after page. */
export function useIssuePreview(templateId: number): Found & { retry(): void } {
  const [found, setFound] = useState(nothing);
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn asks again.
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const read = async (): Promise<void> => {
      const pages: IssuePreview[] = [];
      for (let page = 1, whole = false; !whole; page += 1) {
        const { data } = await call(routerTemplatePreview, { templateId, page, limit }, { signal });
        if (signal.aborted) return;
        pages.push(data);
        whole = page * limit >= data.cpes;
        const groups = mergeGroups(pages);
        const done = groups.reduce((sum, { cpes }) => sum + cpes.length, 0);
        setFound({ groups, cpes: data.cpes, done, isWhole: whole, error: null });
      }
    };
    setFound(nothing);
    read().catch((error: CallError) => {
      if (!signal.aborted) setFound((before) => ({ ...before, isWhole: true, error }));
    });
    return () => end.abort();
  }, [templateId, turn]);
  return { ...found, retry: () => setTurn((last) => last + 1) };
}
