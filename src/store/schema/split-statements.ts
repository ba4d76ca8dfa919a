/** Comments, quoted texts and names, bodies between dollar signs, and the semicolons that are in none of them. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;

/** The statements of an SQL file, without comments, in order. */
export function splitStatements(sql: string): readonly string[] {
  const statements = [""];
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ";") statements.push("");
    else statements[statements.length - 1] += /^(--|\/\*)/.test(token) ? " " : token;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
}
