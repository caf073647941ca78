import { resolve } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};

/**
 * What speaks against manifests of Kubernetes when they are read as literals of its types: fields that there are not, that are missing, or
 * hold something else. An API server drops a misspelt field without a word.
 */
export function misfits(manifests: readonly { apiVersion: string; kind: string }[]): string[] {
  const name = resolve('manifests.ts');
  const text = manifests
    .map((manifest, nth) => {
      const { apiVersion, kind } = manifest;
      const type = `import('kubernetes-models/${apiVersion}').I${kind}`;
      return `export const manifest${nth}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (file, ...how) =>
    file === name
      ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
      : getSourceFile.call(host, file, ...how);
  const program = ts.createProgram([name], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
