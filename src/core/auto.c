/* Opens the accelerator when a window first suits it, and does without it once it has failed. */
#include "auto.h"

#include "context.h"
#include "index.h"

/* How far the accelerator has come. */
enum { NOT_OPENED, OPEN, USELESS /* it cannot run here, or has failed */ };

void predt__auto_begin(predt__auto *automatic) {
    automatic->stage = NOT_OPENED;
    predt__mutex_init(&automatic->lock);
}

void predt__auto_end(predt__auto *automatic) {
    const predt__engine *engine = automatic->engine;
    if (automatic->state && engine->close) engine->close(automatic->state);
    predt__mutex_destroy(&automatic->lock);
}

/* Opens the accelerator, unless another call has. Returns whether it was this one, and then *status
 * says with what success. */
static bool open_once(predt_ctx *ctx, predt_status *status) {
    predt__auto *automatic = &ctx->automatic;
    const predt__engine *engine = automatic->engine;
    predt__mutex_lock(&automatic->lock);
    bool first = automatic->stage == NOT_OPENED;
    if (first) {
        *status = engine->open ? engine->open(ctx, &automatic->state) : PREDT_OK;
        automatic->stage = *status == PREDT_OK ? OPEN : USELESS;
    }
    predt__mutex_unlock(&automatic->lock);
    return first;
}

/* Returns how far it has come then. The log gets its line with no lock held. */
static int open_accelerator(predt_ctx *ctx) {
    predt_status status;
    const char *name = ctx->automatic.engine->name;
    bool first = open_once(ctx, &status);
    if (first && status == PREDT_OK)
        predt__log_line(ctx, "engine %s: the raster is large enough for it", name);
    else if (first) predt__log_line(ctx, "%s, so %s it is", predt__last_text(), ctx->engine->name);
    return ctx->automatic.stage;
}

predt__opened predt__engine_for(predt_ctx *ctx, const predt_index *index,
                                const predt_window *window) {
    predt__auto *automatic = &ctx->automatic;
    const predt__engine *engine = automatic->engine;
    bool fits = engine && (!index->globe || engine->measures_globe);
    int stage = fits ? automatic->stage : USELESS;
    if (stage == NOT_OPENED && engine->suits(NULL, index, window, ctx->threads))
        stage = open_accelerator(ctx);
    if (stage == OPEN && engine->suits(automatic->state, index, window, ctx->threads))
        return (predt__opened){engine, automatic->state};
    return (predt__opened){ctx->engine, ctx->engine_state};
}

bool predt__engine_replaced(predt_ctx *ctx, const predt__engine *failed) {
    if (failed != ctx->automatic.engine) return false;
    if (atomic_exchange(&ctx->automatic.stage, USELESS) != USELESS)
        predt__log_line(ctx, "engine %s has failed (%s), %s goes on", failed->name,
                        predt__last_text(), ctx->engine->name);
    return true;
}
