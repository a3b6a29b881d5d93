/** What the hits of an object are counted under: by the kernel of a device, and where they are kept. Pure. */

/** Named counter of an object in nftables, "h_routerConnlimit_7": what it counts is reported as hits of the object. */
export const hitCounter = (family: string, id: number): string => `h_${family}_${id}`;

const ofObject = /^h_([A-Za-z]+)_(\d+)$/;

/** The object of a counter; null: it counts something else. */
export const countedObject = (counter: string): { family: string; id: number } | null => {
  const [, family, id] = ofObject.exec(counter) ?? [];
  return family === undefined ? null : { family, id: Number(id) };
};

/** An object as rows of metrics name it, and `own_objects` in the database: "xaclrules 7". */
export const hitItem = (family: string, id: number): string => `${family} ${id}`;
