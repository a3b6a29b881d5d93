import Cascader from "antd/es/cascader";
import { useEffect, useState } from "react";
import type { FieldControl } from "#kernel/form/field.tsx";
import { loadRegions, type RegionOption } from "./regions.ts";

interface Props {
  readonly control: FieldControl<readonly string[] | null>;
  readonly placeholder: string;
}

/** Province, city, region, each of which may be the last one selected. */
export function RegionPicker({ control, placeholder }: Props) {
  const [options, setOptions] = useState<readonly RegionOption[]>([]);
  useEffect(() => {
    let isGone = false;
    void loadRegions().then((all) => {
      if (!isGone) setOptions(all);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <Cascader<RegionOption>
      id={control.id}
      value={[...(control.value ?? [])]}
      options={[...options]}
      onChange={(value) => control.set((value ?? []).map(String))}
      onBlur={control.leave}
      changeOnSelect
      showSearch
      allowClear
      loading={options.length === 0}
      disabled={control.disabled}
      placeholder={placeholder}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}
