import { useOpened } from "#kernel/list/opened.ts";
import { RowActions } from "#kernel/list/row-actions.tsx";
import { paths } from "#kernel/paths.ts";
import { ClaimDialog } from "./claim-dialog.tsx";
import type { NodeCard } from "./node-card.ts";
import { useNodeTexts } from "./node-texts.ts";

interface Props {
  readonly node: NodeCard;
  /** The screen this stands on: the other one is offered. */
  readonly on: "detail" | "settings";
}

/** Where to go from a node's screen, and its claim. */
export function NodeActions({ node, on }: Props) {
  const t = useNodeTexts();
  const { opened, open, close } = useOpened();
  const isCpe = node.kind === "cpe";
  const details = {
    key: "details",
    label: t("node.details"),
    to: isCpe ? paths.cpeDetail(node.id) : paths.popDetail(node.id),
  };
  const configure = {
    key: "configure",
    label: t("node.configure"),
    may: isCpe ? ("cpeConfig" as const) : ("popConfig" as const),
    to: isCpe ? paths.cpeSet(node.id) : paths.popSet(node.id),
  };
  const claim = {
    key: "claim",
    label: t("node.claim"),
    may: "cpeActive" as const,
    run: () => open("claim"),
  };
  return (
    <>
      <RowActions actions={[on === "detail" ? configure : details, claim]} />
      <ClaimDialog node={opened?.what === "claim" ? node : null} onClose={close} />
    </>
  );
}
