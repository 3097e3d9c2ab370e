import ts from 'typescript';

/** Members of classes and interfaces by the name of the type: how each is declared, with its type. */
export type Declarations = Readonly<Record<string, Readonly<Record<string, string>>>>;

const OPTIONS: ts.CompilerOptions = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, types: [] };

const isHidden = (declaration: ts.Declaration): boolean => (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;

/** One name for one class, and one spelling for one type. */
const spelled = (type: string): string => type.replaceAll('MacosInstance', 'MacOSInstance').replaceAll(/cdkt[fn]\./g, '');

function parameters(checker: ts.TypeChecker, signature: ts.Signature): string {
  return signature.parameters.map((parameter) => spelled(checker.typeToString(checker.getTypeOfSymbol(parameter)))).join(', ');
}

function describeMember(checker: ts.TypeChecker, member: ts.Symbol): string {
  const type = checker.getTypeOfSymbol(member);
  const [signature] = type.getCallSignatures();
  if ((member.flags & ts.SymbolFlags.Method) !== 0 && signature !== undefined) {
    // Generators leave the results of what only sets something to be inferred.
    return `(${parameters(checker, signature)}) => ${spelled(checker.typeToString(signature.getReturnType()))}`;
  }
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
  const written = member.declarations?.find(ts.isSetAccessor)?.parameters[0];
  const write = written === undefined ? '' : `; set ${spelled(checker.typeToString(checker.getTypeAtLocation(written)))}`;
  return `${isOptional ? '? ' : ''}${spelled(checker.typeToString(type))}${write}`;
}

/** What every construct has, whoever made it. */
const OF_THE_LIBRARY = new Set(['toTerraform', 'toHclTerraform']);

/**
 * What is public in the exported classes and interfaces of the sources in `folder`, also what they inherit from sources under `around`;
 * what the library itself gives every construct is left out.
 */
export function declaredMembers(entries: readonly string[], folder: string, around = folder): Declarations {
  const program = ts.createProgram(entries, OPTIONS);
  const checker = program.getTypeChecker();
  const isOurs = (declaration: ts.Declaration): boolean => declaration.getSourceFile().fileName.startsWith(`${around}/`);
  const membersOf = (type: ts.Type) => Object.fromEntries(type.getProperties()
    .filter((member) => !OF_THE_LIBRARY.has(member.name) && member.declarations?.some((declaration) => isOurs(declaration) && !isHidden(declaration)))
    .map((member) => [member.name, describeMember(checker, member)] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${folder}/`));
  const exported = sources.flatMap((source) => {
    const module = checker.getSymbolAtLocation(source);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  }).filter(({ flags }) => (flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) !== 0);
  return Object.fromEntries(exported.map((symbol) => [spelled(symbol.name), membersOf(checker.getDeclaredTypeOfSymbol(symbol))]));
}
