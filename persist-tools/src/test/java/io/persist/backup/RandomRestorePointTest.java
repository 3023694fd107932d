package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.backup.Backup.Restored;
import io.persist.command.Run;
import io.persist.error.RetiredException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.ReadMode;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.repair.VerifyTool;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever a log is made of, restored up to a record it is what was before that record. */
class RandomRestorePointTest {

    private static final int SEGMENT_LENGTH = 4096;
    private static final TailerConfig ANY_CONTENT =
            TailerConfig.builder().anyContent().readMode(ReadMode.FILE).build();

    private record Seen(long position, long sequence, boolean startsCommit, ByteBuffer payload) {}

    private static LogConfig config(Random random) {
        return LogConfig.builder(Path.of("memory"))
                .segmentLength(SEGMENT_LENGTH)
                .writeMode(random.nextBoolean() ? WriteMode.MAPPED : WriteMode.FILE)
                .build();
    }

    /** Commits, segments that are ended early, that have but a seal or are recycled; several lives. */
    private static void write(CrashableStorage storage, Random random, LogContent content) {
        int lives = 1 + random.nextInt(3);
        for (int life = 0; life < lives; life++) {
            try (Log log = Log.open(config(random), content, storage)) {
                int commitEvery = 1 + random.nextInt(20);
                for (int i = random.nextInt(120); i > 0; i--) {
                    boolean isLong = random.nextInt(15) == 0;
                    byte[] record = Records.of(log.lastSequence() + 1, random.nextInt(isLong ? 3900 : 300));
                    log.append(record, 0, record.length);
                    if (random.nextInt(commitEvery) == 0) {
                        log.commit(random.nextInt(4) == 0 ? Durability.SYNCED : Durability.BUFFERED);
                    }
                    if (random.nextInt(30) == 0) {
                        log.roll();
                    }
                    if (random.nextInt(60) == 0) {
                        long below = random.nextLong(log.position() + 1);
                        log.retire(log.planRetention(RetentionRule.below(below)), Retirement.RECYCLE);
                    }
                }
            }
        }
    }

    private static List<Seen> read(CrashableStorage storage) {
        List<Seen> seen = new ArrayList<>();
        try (Tailer tailer = Tailer.open(storage, ANY_CONTENT)) {
            while (tailer.next()) {
                ByteBuffer payload = ByteBuffer.wrap(tailer.payloadBytes());
                seen.add(new Seen(tailer.position(), tailer.sequence(), tailer.startsCommit(), payload));
            }
        }
        return seen;
    }

    @Test
    void shouldBeWhatWasBeforeTheRecord() {
        Seeds.run(40, seed -> {
            Random random = new Random(seed);
            CrashableStorage log = new CrashableStorage();
            LogContent content = random.nextBoolean() ? LogContent.MESSAGES : LogContent.PACKETS;
            write(log, random, content);
            CrashableStorage place = new CrashableStorage();
            Backup backup = random.nextBoolean() ? Backup.directory(place) : Backup.zip(place, "b.zip");
            BackupManifest manifest = backup.take(log, log).manifest();
            List<Seen> all = read(log);
            for (int i = 0; i < 12 && !all.isEmpty(); i++) {
                int kept = random.nextInt(all.size());
                Seen first = all.get(kept);
                RestorePoint end = random.nextBoolean() || first.sequence() == 1
                        ? RestorePoint.beforePosition(first.position())
                        : RestorePoint.afterSequence(first.sequence() - 1);
                boolean ignoresCommits = random.nextInt(3) == 0;
                int boundary = kept;
                while (boundary > 0 && !ignoresCommits && !all.get(boundary).startsCommit()) {
                    boundary--;
                }
                RestorePoint asked = ignoresCommits ? end.ignoringCommits() : end;
                requireRestored(backup, manifest, all, kept, boundary, asked, random, content);
            }
        });
    }

    private static void requireRestored(
            Backup backup,
            BackupManifest manifest,
            List<Seen> all,
            int kept,
            int boundary,
            RestorePoint end,
            Random random,
            LogContent content) {
        CrashableStorage target = new CrashableStorage();
        Seen first = all.get(kept);
        Seen nearest = all.get(boundary);
        if (boundary == 0 && nearest.sequence() > 1) {
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> backup.restore(target, end));
            assertThat(target.list()).isEmpty();
            return;
        }
        if (boundary < kept) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> backup.restore(target, end))
                    .withMessageContaining(": record " + first.sequence()
                            + " does not begin a commit, and commits are not ignored; the nearest place"
                            + " before that is toPosition=" + nearest.position() + ", behind record "
                            + (nearest.sequence() - 1) + ";");
            assertThat(target.list()).isEmpty();
            return;
        }
        Restored restored = backup.restore(target, end);
        assertThat(restored).isEqualTo(new Restored(manifest, first.position(), first.sequence() - 1, List.of()));
        assertThat(read(target)).isEqualTo(all.subList(0, kept));
        requireItIsClean(target);
        try (Log log = Log.open(config(random), content, target)) {
            assertThat(log.recovery().start()).isEqualTo(Left.CLOSED);
            assertThat(log.position()).isEqualTo(first.position());
            assertThat(log.lastSequence()).isEqualTo(first.sequence() - 1);
            for (int i = 0; i < 30; i++) {
                log.append(Records.of(i, 200), 0, 200);
            }
        }
        List<Seen> more = read(target);
        assertThat(more.subList(0, kept)).isEqualTo(all.subList(0, kept));
        assertThat(more).hasSize(kept + 30);
        assertThat(more.get(kept).sequence()).isEqualTo(first.sequence());
        requireItIsClean(target);
    }

    private static void requireItIsClean(CrashableStorage target) {
        Run run = ToolLog.run(target, new VerifyTool(Output.TEXT, base -> {}));
        assertThat(run.code()).as(run.out() + run.err()).isZero();
    }
}
