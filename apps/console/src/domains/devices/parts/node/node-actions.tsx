import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { RowActions } from "#kernel/list/row-actions.tsx";
import { ClaimDialog } from "./claim-dialog.tsx";
import { useCommandTexts } from "./command-texts.ts";
import { DiagnoseDialog } from "./diagnose-dialog.tsx";
import type { NodeCard } from "./node-card.ts";
import { useNodeTexts } from "./node-texts.ts";
import { RebootDialog } from "./reboot-dialog.tsx";

interface Props {
  readonly node: NodeCard;
  /** The present screen: the other one is offered. */
  readonly on: "detail" | "settings";
}

/** Where to go from a node's screen, its claim, and the device that replaces another. */
export function NodeActions({ node, on }: Props) {
  const t = useNodeTexts();
  const ofCommand = useCommandTexts();
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
  // A node that a device serves gets no first claim: another device, or another key, takes its place.
  const isServed = node.enrolment === "approved" || node.enrolment === "quarantined";
  const replace = {
    key: "replace",
    label: t(node.enrolment === "quarantined" ? "node.reenrol" : "node.replace"),
    may: "cpeActive" as const,
    run: () => open("replace"),
  };
  const offline = node.linkStatus === 1 ? null : t("node.health.offline");
  const diagnose = {
    key: "diagnose",
    label: ofCommand("command.diagnose"),
    may: "cpeDiagnosis" as const,
    disabledReason: offline,
    run: () => open("diagnose"),
  };
  const reboot = {
    key: "reboot",
    label: ofCommand("command.reboot"),
    may: "cpeReboot" as const,
    disabledReason: offline,
    run: () => open("reboot"),
  };
  const neighbors = {
    key: "neighbors",
    label: ofCommand("command.neighbors"),
    to: paths.cpeNeighbor(node.id),
  };
  const isOpen = opened?.what === "claim" || opened?.what === "replace";
  return (
    <>
      <RowActions
        actions={[
          on === "detail" ? configure : details,
          ...(isCpe ? [diagnose, reboot, neighbors] : []),
          isServed ? replace : claim,
        ]}
      />
      {opened?.what === "reboot" && <RebootDialog node={node} onClose={close} />}
      {opened?.what === "diagnose" && <DiagnoseDialog node={node} onClose={close} />}
      <ClaimDialog
        node={isOpen ? node : null}
        isReplacing={opened?.what === "replace"}
        onClose={close}
      />
    </>
  );
}
