package io.persist.tool.copy;

import io.persist.file.Storage;
import io.persist.log.LogContent;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.read.LogCursors;
import io.persist.log.retention.LogRetention;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.stats.CursorsTool;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;
import java.time.Instant;

/** Deletes the oldest segments of a log that nobody writes; or says which that would be. */
public final class RetainTool implements LogTool {

    private final RetentionRule rule;
    private final Effect effect;

    /** A tool that applies {@code rule}. */
    public RetainTool(RetentionRule rule, Effect effect) {
        this.rule = rule;
        this.effect = effect;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        requireNoStore(log);
        LogRetention retention = new LogRetention(log);
        RetentionPlan plan = switch (effect) {
            case APPLY -> retention.apply(rule);
            case DRY_RUN -> retention.plan(rule);
        };
        String verb = switch (effect) {
            case APPLY -> "deleted";
            case DRY_RUN -> "would delete";
        };
        out.println(Descriptions.name(log) + ": " + verb + " "
                + Descriptions.number(plan.retired().size(), "segment") + ", "
                + plan.bytes() + " bytes");
        for (RetentionPlan.Item item : plan.retired()) {
            out.println("  " + item.file() + "  positions " + item.basePosition() + " to " + item.endPosition()
                    + ", sealed at " + Instant.ofEpochMilli(item.sealedAtMs()));
        }
        for (RetentionPlan.Held held : plan.held()) {
            out.println("  kept: " + held.segment().file() + ", because " + held.why());
        }
        new LogCursors(log).refused().forEach((name, why) -> out.println("  " + CursorsTool.refusal(name, why)));
        return ExitCode.OK;
    }

    /** The oldest value of a store may be the one that lives. */
    static void requireNoStore(Storage log) {
        if (SegmentFiles.content(log) == LogContent.TRANSACTIONS) {
            throw new IllegalArgumentException("this log is a store, and its segments hold values that live: log="
                    + log.description() + "; the store's own compaction gives back what is not needed");
        }
    }
}
