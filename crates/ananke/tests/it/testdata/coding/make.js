const z=require('zlib'),fs=require('fs');
const ev=[{type:"RUN_STARTED",threadId:"t",runId:"r"},{type:"TEXT_MESSAGE_START",messageId:"m",role:"assistant"},{type:"TEXT_MESSAGE_CONTENT",messageId:"m",delta:"Hello"},{type:"TEXT_MESSAGE_END",messageId:"m"},{type:"RUN_FINISHED",threadId:"t",runId:"r"}];
const s=ev.map(e=>`data: ${JSON.stringify(e)}\n\n`).join('');
fs.writeFileSync('hello.sse.gz',z.gzipSync(s));fs.writeFileSync('hello.sse.br',z.brotliCompressSync(s));
const c=Buffer.from(': '+'x'.repeat(61)+'\n');
fs.writeFileSync('comments-1mib.deflate',z.deflateRawSync(Buffer.alloc(1<<20,c),{level:9,finishFlush:z.constants.Z_FULL_FLUSH}));
fs.writeFileSync('comments-512mib.br',z.brotliCompressSync(Buffer.alloc(512<<20,c),{params:{[z.constants.BROTLI_PARAM_QUALITY]:5,[z.constants.BROTLI_PARAM_LGWIN]:24}}));
