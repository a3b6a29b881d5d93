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

/** Where to go from a node's screen, its claim, and the box that replaces another. */
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
  // A node that a box serves gets no first claim: another box, or another key, takes its place.
  const isServed = node.enrolment === "approved" || node.enrolment === "quarantined";
  const replace = {
    key: "replace",
    label: t(node.enrolment === "quarantined" ? "node.reenrol" : "node.replace"),
    may: "cpeActive" as const,
    run: () => open("replace"),
  };
  const isOpen = opened?.what === "claim" || opened?.what === "replace";
  return (
    <>
      <RowActions actions={[on === "detail" ? configure : details, isServed ? replace : claim]} />
      <ClaimDialog
        node={isOpen ? node : null}
        isReplacing={opened?.what === "replace"}
        onClose={close}
      />
    </>
  );
}
