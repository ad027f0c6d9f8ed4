// code: source text with comments, words and literals told apart, and without common indentation.

const KEYWORDS = `alignas auto bool break case char class const constexpr continue default do double
    else enum extern false float for if inline int long namespace nullptr return short signed sizeof
    static struct switch template true typedef typename union unsigned using void volatile while
    __global__ __device__ __shared__ __host__ __constant__ __forceinline__ __restrict__
    __launch_bounds__`.split(/\s+/);

// Comments, strings, keywords, directives, in this order.
const TOKENS = new RegExp(
    [
        /(\/\/.*|\/\*.*?(?:\*\/|$))/.source,
        /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/.source,
        `\\b(${KEYWORDS.join('|')})\\b`,
        /(#\s*\w+)/.source,
    ].join('|'),
    'g');
const TOKEN_CLASSES = ['comment', 'string', 'keyword', 'directive'];

function highlighted(text) {
    const parts = [];
    let from = 0;
    for (const match of text.matchAll(TOKENS)) {
        if (match.index > from) parts.push(text.slice(from, match.index));
        parts.push(el('span',
            {class: TOKEN_CLASSES[match.slice(1).findIndex(group => group !== undefined)]},
            match[0]));
        from = match.index + match[0].length;
    }
    parts.push(text.slice(from));
    return parts;
}

// Without the indentation that all lines with traffic have.
function outdented(text, lines) {
    const indents = lines.map(line => text[line.line - 1])
                        .filter(at => at !== undefined && at.trim())
                        .map(at => at.match(/^ */)[0].length);
    const common = Math.min(...indents, 200);
    return text.map(at => at.slice(Math.min(common, at.match(/^ */)[0].length)));
}
