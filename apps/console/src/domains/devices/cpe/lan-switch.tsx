import {
  lanSectionEnableDirect,
  lanSectionEnableForward,
} from "@weft/contract/domains/devices/lan-section.ts";
import Switch from "antd/es/switch";
import { useMay } from "#client/session.tsx";
import type { NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { StateText } from "#ui/glyph.tsx";
import { type LanRow, useCpeTexts } from "./cpe-texts.ts";

interface Props {
  readonly of: "forward" | "direct";
  readonly row: LanRow;
  readonly node: NodeCard;
}

/** One switch of a segment. On acts immediately; off takes service away and is confirmed by name. */
export function LanSwitch({ of, row, node }: Props) {
  const t = useCpeTexts();
  const may = useMay();
  const confirm = useConfirm();
  const done = { touches: ["nodeState", "task"], done: t("node.saved") };
  const forward = useAction(lanSectionEnableForward, done);
  const direct = useAction(lanSectionEnableDirect, done);
  const isForward = of === "forward";
  const isOn = isForward ? row.enableForward : row.enableDirect;
  const send = (on: boolean) => {
    const which = { nCpeID: node.id, ids: [row.id] };
    return isForward
      ? forward.act({ ...which, enableForward: on })
      : direct.act({ ...which, enableDirect: on });
  };
  const change = async (on: boolean) => {
    const isMeant =
      on ||
      (await confirm({
        title: t(`lan.${of}OffTitle`, { network: row.network }),
        body: t(`lan.${of}OffBody`),
        ok: t("lan.off"),
        danger: true,
      }));
    if (isMeant) await send(on);
  };
  if (!may(isForward ? "lansectionEnableForward" : "lansectionEnableRedirect")) {
    return <StateText glyph={isOn ? "ok" : "disabled"} label={t.code("enable", isOn)} />;
  }
  return (
    <Switch
      size="small"
      checked={isOn}
      loading={forward.isActing || direct.isActing}
      aria-label={`${t(`lan.${of}`)} ${row.network}`}
      onChange={(on) => void change(on)}
    />
  );
}
