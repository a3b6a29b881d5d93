/** The files and packages that programs load, found in their text. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import path from "node:path";
import ts from "typescript";
import { inRoot, root } from "./repository.ts";

/** An import of a package by a file of ours, both relative to the root. */
export interface PackageImport {
  readonly file: string;
  readonly name: string;
}

/** A program that a file starts by its path, or imports by a path that it computes. */
const program = /["'`]([\w./-]+\.(?:ts|mjs))["'`]/g;

const nameOf = (specifier: string): string =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** Node removes these with the types; an import of a type among values is loaded. */
const ofTypes = /^(?:import|export) type\b[^;]*;/gm;

function loadedBy(file: string): { specifiers: string[]; programs: string[] } {
  const text = readFileSync(file, "utf8").replace(ofTypes, "");
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map((one) => one.fileName);
  const programs = [...text.matchAll(program)]
    .flatMap(([, name = ""]) => [path.resolve(path.dirname(file), name), inRoot(name)])
    .filter((name) => existsSync(name));
  return { specifiers, programs };
}

/**
 * Follows imports of our own files, also dynamic ones, and programs that they name by a path.
 * @param programs paths relative to the root
 * @returns the packages imported on the way, each file and package once
 */
export function packagesLoadedBy(programs: readonly string[]): PackageImport[] {
  const seen = new Set(programs.map((name) => inRoot(name)));
  const open = [...seen];
  const found: PackageImport[] = [];
  for (const file of open) {
    const { specifiers, programs: started } = loadedBy(file);
    const own = specifiers.filter((one) => /^(?:\.|#|@weft\/)/.test(one));
    const names = specifiers.filter((one) => !own.includes(one) && !isBuiltin(one)).map(nameOf);
    for (const name of new Set(names)) found.push({ file: path.relative(root, file), name });
    const resolved = own.map((one) => createRequire(file).resolve(one));
    for (const next of [...resolved, ...started]) {
      if (!/\.(?:ts|mjs)$/.test(next) || seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return found;
}
