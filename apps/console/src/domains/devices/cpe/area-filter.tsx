import { cpeAreaTree } from "@weft/contract/domains/devices/cpe-area.ts";
import Select from "antd/es/select";
import { useCall } from "#client/use-call.ts";
import { areaTree } from "./area-tree.ts";
import { useCpeTexts } from "./cpe-texts.ts";

interface FilterProps {
  readonly list: {
    readonly filters: { readonly areaId: number | null; readonly groupid: number | null };
    setFilter(key: "areaId", value: number | null): void;
  };
}

/** Which area is shown, once there are any. */
export function AreaFilter({ list }: FilterProps) {
  const t = useCpeTexts();
  const { data = [] } = useCall(cpeAreaTree, { groupid: list.filters.groupid });
  if (data.length === 0) return null;
  return (
    <Select<number>
      aria-label={t.field("areaId")}
      placeholder={t.field("areaId")}
      style={{ minWidth: 144 }}
      allowClear
      value={list.filters.areaId}
      options={areaTree(data).map(({ id, path }) => ({ value: id, label: path }))}
      onChange={(id) => list.setFilter("areaId", id ?? null)}
    />
  );
}
