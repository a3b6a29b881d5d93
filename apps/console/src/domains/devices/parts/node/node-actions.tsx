import type { Permission } from "@weft/contract/permissions.ts";
import type { ComponentType } from "react";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { later, OpenedLater } from "#feedback/later.tsx";
import { RowActions } from "#kernel/list/row-actions.tsx";
import { ClaimDialog } from "./claim-opener.tsx";
import { useCommandTexts } from "./command-texts.ts";
import type { NodeCard } from "./node-card.ts";
import { useNodeTexts } from "./node-texts.ts";

interface Props {
  readonly node: NodeCard;
  /** The present screen: the other one is offered. */
  readonly on: "detail" | "settings";
}

// Few who open a device ask it something: these are fetched when someone does.
const dialogs: Readonly<Record<string, ComponentType<Omit<DialogProps, "what">>>> = {
  trace: later(async () => (await import("./packet-trace-drawer.tsx")).PacketTraceDrawer),
  diagnose: later(async () => (await import("./diagnose-dialog.tsx")).DiagnoseDialog),
  reboot: later(async () => (await import("./reboot-dialog.tsx")).RebootDialog),
};

interface DialogProps {
  readonly what: string;
  readonly node: NodeCard;
  readonly onClose: () => void;
}

/** What is asked of the device, or about it. */
function OpenedDialog({ what, ...props }: DialogProps) {
  const Dialog = Object.hasOwn(dialogs, what) ? dialogs[what] : undefined;
  return (
    Dialog && (
      <OpenedLater open onClose={props.onClose}>
        <Dialog {...props} />
      </OpenedLater>
    )
  );
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
  const entry = (key: string, label: string, may: Permission, disabledReason: string | null) => ({
    key,
    label,
    may,
    disabledReason,
    run: () => open(key),
  });
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
          ...(isCpe
            ? [
                entry("trace", ofCommand("command.trace"), "cpeConfig", null),
                entry("diagnose", ofCommand("command.diagnose"), "cpeDiagnosis", offline),
                entry("reboot", ofCommand("command.reboot"), "cpeReboot", offline),
                neighbors,
              ]
            : []),
          isServed ? replace : claim,
        ]}
      />
      {opened && <OpenedDialog what={opened.what} node={node} onClose={close} />}
      <ClaimDialog
        node={isOpen ? node : null}
        isReplacing={opened?.what === "replace"}
        onClose={close}
      />
    </>
  );
}
