package io.persist.tool.read;

import io.persist.tool.read.CompareTool.Commits;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import io.persist.tool.text.PayloadText;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What two logs have in common, and the first place at which they differ. */
final class Comparison {

    /** What is not the same there. */
    enum Difference {
        NONE("the same"),
        CONTENT("these are not logs of the same kind"),
        SEQUENCE("the numbers of the records differ"),
        LENGTH("the lengths differ"),
        PAYLOAD("the payloads differ"),
        COMMIT("one of them starts a commit"),
        END("one of the logs ends"),
        DAMAGE("the next record cannot be read");

        private final String text;

        Difference(String text) {
            this.text = text;
        }
    }

    private final ComparedLog a;
    private final ComparedLog b;
    private final Commits commits;
    private Difference difference = Difference.NONE;
    private int differingByte = -1;
    private long records;
    private long started;
    private long bytes;

    private Comparison(ComparedLog a, ComparedLog b, Commits commits) {
        this.a = a;
        this.b = b;
        this.commits = commits;
    }

    /** Compares up to the first difference, at most {@code limit} records. */
    static Comparison of(ComparedLog a, ComparedLog b, Commits commits, long limit) {
        Comparison comparison = new Comparison(a, b, commits);
        comparison.run(limit);
        return comparison;
    }

    private void run(long limit) {
        if (SegmentFiles.content(a.storage()) != SegmentFiles.content(b.storage())) {
            difference = Difference.CONTENT;
            return;
        }
        while (records < limit && (a.next() | b.next())) {
            difference = judge();
            if (difference != Difference.NONE) {
                return;
            }
            records++;
            started += records == 1 || a.startsCommit() ? 1 : 0;
            bytes += a.payload().remaining();
        }
        if (!a.damage().isEmpty() || !b.damage().isEmpty()) {
            difference = Difference.DAMAGE;
        }
    }

    private Difference judge() {
        if (!a.damage().isEmpty() || !b.damage().isEmpty()) {
            return Difference.DAMAGE;
        }
        if (!a.hasRecord() || !b.hasRecord()) {
            return Difference.END;
        }
        if (a.sequence() != b.sequence()) {
            return Difference.SEQUENCE;
        }
        ByteBuffer payload = a.payload();
        differingByte = payload.mismatch(b.payload());
        if (payload.remaining() != b.payload().remaining()) {
            return Difference.LENGTH;
        }
        if (differingByte >= 0) {
            return Difference.PAYLOAD;
        }
        boolean commitsDiffer = commits == Commits.COMPARE && a.startsCommit() != b.startsCommit();
        return commitsDiffer ? Difference.COMMIT : Difference.NONE;
    }

    boolean isSame() {
        return difference == Difference.NONE;
    }

    String text() {
        String common = Descriptions.number(records, "record") + " in " + Descriptions.number(started, "commit") + ", "
                + Descriptions.number(bytes, "byte") + " of payload";
        StringBuilder text = new StringBuilder();
        if (isSame()) {
            text.append("the same: ").append(common).append('\n');
        } else {
            text.append("different: ").append(difference.text);
            if (differingByte >= 0) {
                text.append(" from byte ").append(differingByte).append(" on");
            }
            text.append("\n  the same before: ").append(common).append('\n');
        }
        describe(text, "A", a);
        describe(text, "B", b);
        if (difference == Difference.SEQUENCE && records == 0) { // retention has taken the oldest ones of one log
            text.append("  to compare from where both have records: --fromSequence ");
            text.append(Math.max(a.sequence(), b.sequence())).append('\n');
        }
        return text.toString();
    }

    private void describe(StringBuilder text, String name, ComparedLog log) {
        text.append("  ").append(name).append("  ").append(Descriptions.name(log.storage()));
        text.append(", last record ").append(log.lastSequence());
        text.append(log.vacated() == 0 ? "" : ", " + Descriptions.number(log.vacated(), "vacated segment"));
        text.append('\n');
        if (difference == Difference.CONTENT) {
            text.append("     ").append(SegmentFiles.content(log.storage()).plural());
            text.append('\n');
        } else if (!log.damage().isEmpty()) {
            text.append("     ").append(log.damage()).append('\n');
        } else if (!isSame() && log.hasRecord()) {
            text.append("     record ").append(log.sequence()).append(" at position ");
            text.append(log.position()).append(log.startsCommit() ? ", starts a commit, " : ", ");
            text.append(Descriptions.number(log.payload().remaining(), "byte")).append(": ");
            text.append(PayloadText.preview(log.payload())).append('\n');
        } else if (!isSame()) {
            text.append("     no further record, position ").append(log.position());
            text.append('\n');
        }
    }

    void writeTo(JsonLine json) throws IOException {
        json.name("same").value(isSame());
        json.name("records").value(records);
        json.name("commits").value(started);
        json.name("bytes").value(bytes);
        if (!isSame()) {
            json.name("difference").value(difference);
            json.name("firstDifferentByte").value(differingByte);
        }
        write(json, "a", a);
        write(json, "b", b);
    }

    private void write(JsonLine json, String name, ComparedLog log) throws IOException {
        json.name(name).beginObject();
        json.name("log").value(log.storage().description());
        json.name("lastSequence").value(log.lastSequence());
        json.name("vacatedSegments").value(log.vacated());
        if (!isSame() && difference != Difference.CONTENT) {
            json.name("position").value(log.position());
            if (log.hasRecord()) {
                json.name("sequence").value(log.sequence());
                json.name("length").value(log.payload().remaining());
                json.name("startsCommit").value(log.startsCommit());
            }
            if (!log.damage().isEmpty()) {
                json.name("damage").value(log.damage());
            }
        }
        json.endObject();
    }
}
