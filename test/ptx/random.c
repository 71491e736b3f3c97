/* Random arithmetic programs, against the same expressions compiled by a C compiler without optimization.
 *
 *   ptx_random COMPILER COUNT [SEED]
 *
 * A program is an expression of a few operations on a, b, c (32 bits), x, y, z (64 bits), f, g, h (float) and p, q, r
 * (double). Each runs on 8 sets of values. Programs are made in batches: a module of PTX, and a library in C. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

enum {
	SETS = 8,
	EACH = 100, /* programs of a kernel */
	KERNELS = 40,
	DEEPEST = 4
};

typedef enum kind {
	WORD,
	LONG,
	FLOAT,
	DOUBLE,
	KINDS
} kind;

/* `ptx` has the result as %0 and the operands as %1 and on; %t, %u and %v are scratch registers of 32 bits, 64 bits and a
 * predicate. `c` has the operands as $1 and on. */
static const struct {
	kind result;
	const char *operands; /* w l f d */
	const char *ptx, *c;
} operations[] = {
    {WORD, "ww", "add.u32 %0, %1, %2;", "($1+$2)"},
    {WORD, "ww", "sub.s32 %0, %1, %2;", "($1-$2)"},
    {WORD, "ww", "mul.lo.u32 %0, %1, %2;", "($1*$2)"},
    {WORD, "www", "mad.lo.s32 %0, %1, %2, %3;", "($1*$2+$3)"},
    {WORD, "ww", "mul.hi.u32 %0, %1, %2;", "(u32)((u64)$1*$2>>32)"},
    {WORD, "ww", "mul.hi.s32 %0, %1, %2;", "(u32)((s64)(s32)$1*(s32)$2>>32)"},
    {WORD, "ww", "add.sat.s32 %0, %1, %2;", "addsat($1,$2)"},
    {WORD, "ww", "and.b32 %0, %1, %2;", "($1&$2)"},
    {WORD, "ww", "or.b32 %0, %1, %2;", "($1|$2)"},
    {WORD, "ww", "xor.b32 %0, %1, %2;", "($1^$2)"},
    {WORD, "w", "not.b32 %0, %1;", "(~$1)"},
    {WORD, "w", "neg.s32 %0, %1;", "(-$1)"},
    {WORD, "w", "abs.s32 %0, %1;", "abs32($1)"},
    {WORD, "www", "lop3.b32 %0, %1, %2, %3, 0xCA;", "mux($1,$2,$3)"},
    {WORD, "ww", "shl.b32 %0, %1, %2;", "shl32($1,$2)"},
    {WORD, "ww", "and.b32 %t, %2, 31; shr.u32 %0, %1, %t;", "($1>>($2&31))"},
    {WORD, "ww", "and.b32 %t, %2, 63; shr.s32 %0, %1, %t;", "sar32($1,$2&63)"},
    {WORD, "www", "shf.l.wrap.b32 %0, %1, %2, %3;", "funnel($1,$2,$3)"},
    {WORD, "ww", "min.s32 %0, %1, %2;", "min32($1,$2)"},
    {WORD, "ww", "max.u32 %0, %1, %2;", "max32($1,$2)"},
    {WORD, "ww", "or.b32 %t, %2, 1; div.u32 %0, %1, %t;", "($1/($2|1))"},
    {WORD, "ww", "or.b32 %t, %2, 1; rem.u32 %0, %1, %t;", "($1%($2|1))"},
    {WORD, "ww", "or.b32 %t, %2, 1; div.s32 %0, %1, %t;", "div32($1,$2|1)"},
    {WORD, "w", "popc.b32 %0, %1;", "(u32)__builtin_popcount($1)"},
    {WORD, "w", "clz.b32 %0, %1;", "clz32($1)"},
    {WORD, "w", "bfe.s32 %0, %1, 5, 9;", "(u32)((s32)($1<<18)>>23)"},
    {WORD, "ww", "bfi.b32 %0, %1, %2, 4, 8;", "bfi($1,$2)"},
    {WORD, "ww", "prmt.b32 %0, %1, %2, 0x6240;", "prmt($1,$2)"},
    {WORD, "ww", "dp4a.u32.u32 %0, %1, %2, 7;", "dp4a($1,$2)"},
    {WORD, "wwww", "setp.lt.s32 %v, %1, %2; selp.b32 %0, %3, %4, %v;", "((s32)$1<(s32)$2?$3:$4)"},
    {WORD, "ffww", "setp.gt.f32 %v, %1, %2; selp.b32 %0, %3, %4, %v;", "($1>$2?$3:$4)"},
    {WORD, "ddww", "setp.leu.f64 %v, %1, %2; selp.b32 %0, %3, %4, %v;", "(!($1>$2)?$3:$4)"},
    {WORD, "w", "cvt.s32.s8 %0, %1;", "(u32)(s32)(signed char)$1"},
    {WORD, "w", "cvt.u32.u16 %0, %1;", "(u32)(unsigned short)$1"},
    {WORD, "l", "cvt.u32.u64 %0, %1;", "(u32)$1"},
    {WORD, "l", "cvt.sat.s32.s64 %0, %1;", "narrow($1)"},
    {WORD, "f", "cvt.rzi.s32.f32 %0, %1;", "toint($1)"},
    {WORD, "d", "cvt.rzi.s32.f64 %0, %1;", "tointd($1)"},
    {LONG, "ll", "add.u64 %0, %1, %2;", "($1+$2)"},
    {LONG, "ll", "sub.u64 %0, %1, %2;", "($1-$2)"},
    {LONG, "ll", "mul.lo.u64 %0, %1, %2;", "($1*$2)"},
    {LONG, "ll", "mul.hi.u64 %0, %1, %2;", "(u64)((unsigned __int128)$1*$2>>64)"},
    {LONG, "ww", "mul.wide.u32 %0, %1, %2;", "((u64)$1*$2)"},
    {LONG, "wwl", "mad.wide.s32 %0, %1, %2, %3;", "((u64)((s64)(s32)$1*(s32)$2)+$3)"},
    {LONG, "ll", "xor.b64 %0, %1, %2;", "($1^$2)"},
    {LONG, "ll", "and.b64 %0, %1, %2;", "($1&$2)"},
    {LONG, "lw", "and.b32 %t, %2, 63; shl.b64 %0, %1, %t;", "($1<<($2&63))"},
    {LONG, "lw", "and.b32 %t, %2, 63; shr.s64 %0, %1, %t;", "(u64)((s64)$1>>($2&63))"},
    {LONG, "ll", "or.b64 %u, %2, 1; rem.u64 %0, %1, %u;", "($1%($2|1))"},
    {LONG, "w", "cvt.s64.s32 %0, %1;", "(u64)(s64)(s32)$1"},
    {LONG, "w", "cvt.u64.u32 %0, %1;", "(u64)$1"},
    {LONG, "ww", "mov.b64 %0, {%1, %2};", "((u64)$1|(u64)$2<<32)"},
    {LONG, "llll", "setp.ge.u64 %v, %1, %2; selp.b64 %0, %3, %4, %v;", "($1>=$2?$3:$4)"},
    {FLOAT, "ff", "add.rn.f32 %0, %1, %2;", "($1+$2)"},
    {FLOAT, "ff", "sub.f32 %0, %1, %2;", "sub32($1,$2)"},
    {FLOAT, "ff", "mul.rn.f32 %0, %1, %2;", "($1*$2)"},
    {FLOAT, "ff", "div.rn.f32 %0, %1, %2;", "($1/$2)"},
    {FLOAT, "fff", "fma.rn.f32 %0, %1, %2, %3;", "fmaf($1,$2,$3)"},
    {FLOAT, "f", "sqrt.rn.f32 %0, %1;", "sqrtf($1)"},
    {FLOAT, "f", "neg.f32 %0, %1;", "(-$1)"},
    {FLOAT, "f", "abs.f32 %0, %1;", "fabsf($1)"},
    {FLOAT, "ff", "min.f32 %0, %1, %2;", "minf($1,$2)"},
    {FLOAT, "ff", "max.f32 %0, %1, %2;", "maxf($1,$2)"},
    {FLOAT, "w", "cvt.rn.f32.u32 %0, %1;", "(float)$1"},
    {FLOAT, "l", "cvt.rn.f32.s64 %0, %1;", "(float)(s64)$1"},
    {FLOAT, "d", "cvt.rn.f32.f64 %0, %1;", "(float)$1"},
    {DOUBLE, "dd", "add.f64 %0, %1, %2;", "($1+$2)"},
    {DOUBLE, "dd", "sub.rn.f64 %0, %1, %2;", "sub64($1,$2)"},
    {DOUBLE, "dd", "mul.f64 %0, %1, %2;", "($1*$2)"},
    {DOUBLE, "dd", "div.rn.f64 %0, %1, %2;", "($1/$2)"},
    {DOUBLE, "ddd", "fma.rn.f64 %0, %1, %2, %3;", "fma($1,$2,$3)"},
    {DOUBLE, "d", "sqrt.rn.f64 %0, %1;", "sqrt($1)"},
    {DOUBLE, "w", "cvt.rn.f64.s32 %0, %1;", "(double)(s32)$1"},
    {DOUBLE, "f", "cvt.f64.f32 %0, %1;", "(double)$1"},
};

#define OPERATIONS (sizeof operations / sizeof *operations)

static const char preamble[] =
    "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
    "typedef uint32_t u32; typedef uint64_t u64; typedef int32_t s32; typedef int64_t s64;\n"
    /* As functions: gcc 12 takes 0.0f - (float)a for -(float)a, even without optimization. */
    "static float sub32(float f,float g){return f-g;}\n"
    "static double sub64(double p,double q){return p-q;}\n"
    "static u32 addsat(u32 a,u32 b){s64 s=(s64)(s32)a+(s32)b;return "
    "s>INT32_MAX?INT32_MAX:s<INT32_MIN?INT32_MIN:(u32)s;}\n"
    "static u32 abs32(u32 a){return (s32)a<0?-a:a;}\n"
    "static u32 mux(u32 a,u32 b,u32 c){return (a&b)|(~a&c);}\n"
    "static u32 shl32(u32 a,u32 b){return b>31?0:a<<b;}\n"
    "static u32 sar32(u32 a,u32 b){return (s32)a>>(b>31?31:b);}\n"
    "static u32 funnel(u32 a,u32 b,u32 c){return ((u64)b<<32|a)<<(c&31)>>32;}\n"
    "static u32 min32(u32 a,u32 b){return (s32)a<(s32)b?a:b;}\n"
    "static u32 max32(u32 a,u32 b){return a>b?a:b;}\n"
    "static u32 div32(u32 a,u32 b){return b==~0u?-a:(u32)((s32)a/(s32)b);}\n"
    "static u32 clz32(u32 a){return a?(u32)__builtin_clz(a):32;}\n"
    "static u32 bfi(u32 a,u32 b){return (b&~0xff0u)|(a&255)<<4;}\n"
    "static u32 prmt(u32 a,u32 b){return (a&255)|(b&255)<<8|(a>>16&255)<<16|(b>>16&255)<<24;}\n"
    "static u32 dp4a(u32 a,u32 b){u32 s=7;for(int i=0;i<32;i+=8)s+=(a>>i&255)*(b>>i&255);return "
    "s;}\n"
    "static u32 narrow(u64 a){s64 s=a;return s>INT32_MAX?INT32_MAX:s<INT32_MIN?INT32_MIN:(u32)s;}\n"
    "static u32 toint(float f){return "
    "f!=f?0:f>=0x1p31f?INT32_MAX:f<-0x1p31f?INT32_MIN:(u32)(s32)f;}\n"
    "static u32 tointd(double f){return "
    "f!=f?0x80000000u:f>=0x1p31?INT32_MAX:f<=-0x1p31?INT32_MIN:(u32)(s32)f;}\n"
    "static float minf(float a,float b){return a!=a?b:b!=b?a:a<b||(a==b&&signbit(a))?a:b;}\n"
    "static float maxf(float a,float b){return a!=a?b:b!=b?a:a>b||(a==b&&!signbit(a))?a:b;}\n"
    "static u64 wbits(u32 a){return a;}\nstatic u64 lbits(u64 a){return a;}\n"
    "static u64 fbits(float f){u32 b;memcpy(&b,&f,4);return f!=f?0x7fffffff:b;}\n"
    "static u64 dbits(double f){u64 b;memcpy(&b,&f,8);return f!=f?~(u64)0:b;}\n";

static uint64_t state;

static uint64_t draw(uint64_t limit)
{
	uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % limit;
}

/* --- Making programs ------------------------------------------------------------------------------------ */

typedef struct text {
	char *at;
	size_t used, room;
} text;

static void add(text *t, const char *from, size_t bytes)
{
	if (t->used + bytes + 1 > t->room) {
		t->room = (t->used + bytes + 1) * 2;
		t->at = realloc(t->at, t->room);
		if (!t->at)
			fail("no memory");
	}
	memcpy(t->at + t->used, from, bytes);
	t->used += bytes;
	t->at[t->used] = '\0';
}

static void say(text *t, const char *words)
{
	add(t, words, strlen(words));
}

static kind kind_of(char letter)
{
	return letter == 'w' ? WORD : letter == 'l' ? LONG : letter == 'f' ? FLOAT : DOUBLE;
}

static const char *const registers[KINDS] = {"%rw", "%rl", "%rf", "%rd"};

typedef struct made {
	char ptx[16]; /* the register of the result */
	char c[2000]; /* the expression */
} made;

static unsigned next_register;

/* An operation's PTX or C, with its operands put in. */
static void put_in(text *to, const char *pattern, char sign, const char *result,
                   const made *operands)
{
	for (; *pattern; pattern++) {
		if (*pattern != sign) {
			add(to, pattern, 1);
			continue;
		}
		pattern++;
		if (*pattern == '0')
			say(to, result);
		else if (*pattern >= '1' && *pattern <= '4')
			say(to, sign == '%' ? operands[*pattern - '1'].ptx
			                    : operands[*pattern - '1'].c);
		else
			say(to, *pattern == 't' ? "%st" : *pattern == 'u' ? "%su" : "%sv");
	}
}

static void grow(text *ptx, kind wanted, unsigned depth, made *m)
{
	static const char variables[KINDS][3] = {"abc", "xyz", "fgh", "pqr"};
	made operands[4];
	text c = {NULL, 0, 0};
	size_t i;

	if (!depth || !draw(6)) {
		char variable = variables[wanted][draw(3)];
		snprintf(m->ptx, sizeof m->ptx, "%%%c", variable);
		snprintf(m->c, sizeof m->c, "%c", variable);
		return;
	}
	do
		i = draw(OPERATIONS);
	while (operations[i].result != wanted);
	for (size_t k = 0; operations[i].operands[k]; k++)
		grow(ptx, kind_of(operations[i].operands[k]), k ? draw(depth) : depth - 1,
		     &operands[k]);
	snprintf(m->ptx, sizeof m->ptx, "%s%u", registers[wanted], next_register++);
	put_in(ptx, operations[i].ptx, '%', m->ptx, operands);
	say(ptx, "\n");
	say(&c, "");
	put_in(&c, operations[i].c, '$', "", operands);
	if (c.used >= sizeof m->c)
		fail("an expression is too long");
	memcpy(m->c, c.at, c.used + 1);
	free(c.at);
}

static void make_kernel(text *ptx, text *c, unsigned kernel, kind *kinds)
{
	static const char *const store[KINDS] = {"u32", "u64", "f32", "f64"};
	text body = {NULL, 0, 0};
	char line[400];

	say(&body, "");
	next_register = 0;
	snprintf(line, sizeof line,
	         "static void k%u(const char*in,u64*out){u32 "
	         "a=*(u32*)in,b=*(u32*)(in+8),c=*(u32*)(in+16);u64 "
	         "x=*(u64*)(in+24),y=*(u64*)(in+32),z=*(u64*)(in+40);float "
	         "f=*(float*)(in+48),g=*(float*)(in+56),"
	         "h=*(float*)(in+64);double "
	         "p=*(double*)(in+72),q=*(double*)(in+80),r=*(double*)(in+88);\n",
	         kernel);
	say(c, line);
	for (unsigned i = 0; i < EACH; i++) {
		made m;
		kinds[i] = draw(KINDS);
		grow(&body, kinds[i], 1 + (unsigned)draw(DEEPEST), &m);
		snprintf(line, sizeof line, "st.global.%s [%%out+%u], %s;\n", store[kinds[i]],
		         i * SETS * 8, m.ptx);
		say(&body, line);
		snprintf(line, sizeof line, "out[%u]=%cbits(", i * SETS, "wlfd"[kinds[i]]);
		say(c, line);
		say(c, m.c);
		say(c, ");\n");
	}
	say(c, "}\n");
	snprintf(line, sizeof line,
	         ".visible .entry k%u(.param .u64 in, .param .u64 out) {\n.reg .b32 %%a, %%b, %%c, "
	         "%%t, %%st, "
	         "%%rw<%u>;\n.reg .b64 %%x, %%y, %%z, %%in, %%out, %%su, %%rl<%u>;\n",
	         kernel, next_register + 1, next_register + 1);
	say(ptx, line);
	snprintf(line, sizeof line,
	         ".reg .f32 %%f, %%g, %%h, %%rf<%u>; .reg .f64 %%p, %%q, %%r, %%rd<%u>; .reg .pred "
	         "%%sv;\n",
	         next_register + 1, next_register + 1);
	say(ptx, line);
	say(ptx, "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;\n"
	         "mad.wide.u32 %in, %t, 96, %in; mad.wide.u32 %out, %t, 8, %out;\n");
	for (unsigned i = 0; i < 12; i++) {
		snprintf(line, sizeof line, "ld.global.b%d %%%c, [%%in+%u];\n", i / 3 % 2 ? 64 : 32,
		         "abcxyzfghpqr"[i], i * 8);
		say(ptx, line);
	}
	add(ptx, body.at, body.used);
	say(ptx, "ret;\n}\n");
	free(body.at);
}

/* --- Running them ------------------------------------------------------------------------------------------ */

typedef void runner(unsigned kernel, const void *in, uint64_t *out);

static void write_file(const char *name, const text *t)
{
	FILE *file = fopen(name, "w");

	if (!file || fwrite(t->at, 1, t->used, file) != t->used || fclose(file))
		fail("%s cannot be written", name);
}

/* The library of a batch of C source. */
static void *compile(const char *compiler, const text *c)
{
	char folder[] = "./ptx_random.XXXXXX", source[64], library[64], command[1000];
	void *handle;

	if (!mkdtemp(folder))
		fail("no folder for a library");
	snprintf(source, sizeof source, "%s/a.c", folder);
	snprintf(library, sizeof library, "%s/a.so", folder);
	write_file(source, c);
	snprintf(command, sizeof command,
	         "'%s' -O0 -w -fwrapv -ffp-contract=off -fno-math-errno -shared -fPIC -o %s %s -lm",
	         compiler, library, source);
	if (system(command) != 0)
		fail("failed: %s", command);
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		fail("%s", dlerror());
	unlink(source);
	unlink(library);
	rmdir(folder);
	return handle;
}

static void fill(uint64_t in[SETS][12])
{
	static const uint32_t words[] = {0, 1, 2, 31, 255, 0x7fffffff, 0x80000000, 0xffffffff};
	static const float floats[] = {0, 1, -1.5f, 3e38f, 1e-40f, -7.25f, 0x1p31f, 123456.789f};

	for (int s = 0; s < SETS; s++)
		for (int i = 0; i < 12; i++) {
			float f =
			    draw(2) ? floats[draw(8)]
				    : (float)(int64_t)draw(UINT64_MAX) / (float)(1 + draw(1000000));
			double d =
			    draw(2) ? (double)f * 1.1 : (double)(int64_t)draw(UINT64_MAX) / 7e12;
			uint64_t x = draw(2) ? words[draw(8)] : draw(UINT64_MAX);
			in[s][i] = x;
			if (i / 3 == FLOAT)
				memcpy(&in[s][i], &f, sizeof f);
			else if (i / 3 == DOUBLE)
				memcpy(&in[s][i], &d, sizeof d);
			else if (i / 3 == LONG && draw(2))
				in[s][i] = x << 32 | draw(5);
		}
}

static uint64_t canonical(kind k, uint64_t bits)
{
	if (k == FLOAT && (bits & 0x7fffffff) > 0x7f800000)
		return 0x7fffffff;
	return k == DOUBLE && (bits << 1) > UINT64_C(0xffe0000000000000) ? UINT64_MAX : bits;
}

static unsigned compare(const char *source, unsigned kernel, const kind *kinds, const uint64_t *got,
                        const uint64_t *want)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < EACH; i++)
		for (unsigned s = 0; s < SETS; s++) {
			uint64_t have = canonical(kinds[i], got[i * SETS + s]),
				 expect = want[i * SETS + s];
			if (kinds[i] == WORD || kinds[i] == FLOAT)
				have &= 0xffffffff;
			if (have == expect)
				continue;
			if (!wrong++) {
				char start[32];
				const char *at = strstr(
				    source,
				    (snprintf(start, sizeof start, "void k%u(", kernel), start));
				at = at ? strstr(at, (snprintf(start, sizeof start,
				                               "out[%u]=", i * SETS),
				                      start))
				        : NULL;
				printf("set %u: %#llx instead of %#llx: %.*s\n", s,
				       (unsigned long long)have, (unsigned long long)expect,
				       at ? (int)strcspn(at, "\n") : 0, at ? at : "");
			}
			break;
		}
	return wrong;
}

static unsigned run_batch(const char *compiler)
{
	static kind kinds[KERNELS][EACH];
	static uint64_t want[EACH * SETS];
	text ptx = {NULL, 0, 0}, c = {NULL, 0, 0};
	uint64_t(*in)[12], *out;
	runner *compiled;
	char line[64];
	unsigned wrong = 0;
	void *library;
	run r;

	say(&ptx, ".version 8.0\n.target sm_90\n.address_size 64\n");
	say(&c, preamble);
	for (unsigned k = 0; k < KERNELS; k++)
		make_kernel(&ptx, &c, k, kinds[k]);
	say(&c, "void run(unsigned k,const char*in,u64*out){switch(k){\n");
	for (unsigned k = 0; k < KERNELS; k++) {
		snprintf(line, sizeof line, "case %u:k%u(in,out);break;\n", k, k);
		say(&c, line);
	}
	say(&c, "}}\n");
	library = compile(compiler, &c);
	*(void **)&compiled = dlsym(library, "run");
	run_open(&r, ptx.at);
	in = run_buffer(&r, SETS * sizeof *in);
	out = run_buffer(&r, sizeof want);
	r.params[0] = (uint64_t)(uintptr_t)in;
	r.params[1] = (uint64_t)(uintptr_t)out;
	fill(in);
	for (unsigned k = 0; k < KERNELS && compiled; k++) {
		snprintf(line, sizeof line, "k%u", k);
		if (run_kernel(&r, line, 1, SETS) != WEIR_PTX_DONE)
			fail("%s", r.result.text);
		for (unsigned s = 0; s < SETS; s++)
			compiled(k, in[s], want + s);
		wrong += compare(c.at, k, kinds[k], out, want);
	}
	run_close(&r);
	dlclose(library);
	free(ptx.at);
	free(c.at);
	return compiled ? wrong : 1;
}

int main(int count, char **arguments)
{
	unsigned long wanted, done = 0;
	unsigned wrong = 0;

	if (count < 3)
		fail("usage: ptx_random COMPILER COUNT [SEED]");
	wanted = strtoul(arguments[2], NULL, 10);
	state = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
	for (; done < wanted && !wrong; done += KERNELS * EACH)
		wrong += run_batch(arguments[1]);
	printf("%lu random programs, %u wrong\n", done, wrong);
	return wrong != 0;
}
