package io.persist.bench.doctor.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.doctor.diagnosis.Belief.Level;
import io.persist.bench.doctor.machine.BlockDevice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every reason to believe a synced write, to doubt it, and not to believe it. */
class BeliefTest {

    private static Belief belief(Cases cases, long syncUs) {
        return Belief.of(cases.facts(), syncUs * 1000);
    }

    private static void assertRefuted(Cases cases, long syncUs, String words) {
        assertJudged(cases, syncUs, Level.NOT_BELIEVED, words);
    }

    private static void assertJudged(Cases cases, long syncUs, Level level, String words) {
        Belief belief = belief(cases, syncUs);
        assertThat(belief.level()).isEqualTo(level);
        assertThat(belief.findings()).hasSize(1);
        assertThat(belief.findings().get(0).what()).contains(words);
        assertThat(belief.findings().get(0).remedy()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "nvme0n1, write back, 60, flushes it at every sync",
        "nvme0n1, write through, 15, no volatile write cache",
        "vda, write back, 95, flushes it at every sync",
        "sda, write back, 8000, flushes it at every sync",
        "pmem0, write through, 3, keeps its content without power"
    })
    void shouldBelieve(String disk, String writeCache, long us, String reason) {
        Belief belief = belief(new Cases().on(disk, writeCache), us);

        assertThat(belief.level()).isEqualTo(Level.BELIEVED);
        assertThat(belief.findings()).isEmpty();
        assertThat(belief.reason()).contains(reason);
    }

    @Test
    void shouldNotBelieveWhatIsTooFast() {
        assertRefuted(new Cases(), 9, "took 9.0 us, which no disk can do");
        assertThat(belief(new Cases(), 10).level()).isEqualTo(Level.BELIEVED);
    }

    @Test
    void shouldNotBelieveMemory() {
        assertRefuted(new Cases().mount("tmpfs", "tmpfs", "rw").on((BlockDevice) null), 1, "in memory (tmpfs)");
        assertRefuted(new Cases().on("zram0", null), 1, "compressed memory zram0");
        assertRefuted(new Cases().on("ram0", null), 1, "memory disk ram0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs4", "cifs", "fuse.sshfs", "9p"})
    void shouldNotBelieveWhatOthersKeep(String type) {
        assertRefuted(new Cases().mount(type, "server:/x", "rw").on((BlockDevice) null), 900, type + " from server:/x");
    }

    @Test
    void shouldNotBelieveAnOverlayThatLeavesSyncsOut() {
        assertRefuted(
                new Cases().mount("overlay", "overlay", "rw", "volatile").on((BlockDevice) null),
                50,
                "option volatile");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobarrier", "barrier=0"})
    void shouldNotBelieveWithoutFlushesUnlessThereIsNothingToFlush(String option) {
        assertRefuted(new Cases().options("rw", option), 60, option);
        assertThat(belief(new Cases().options("rw", option).on("nvme0n1", "write through"), 60)
                        .level())
                .isEqualTo(Level.BELIEVED);
    }

    @Test
    void shouldDoubtWhatCannotBeSeen() {
        assertJudged(
                new Cases().mount("overlay", "overlay", "rw").on((BlockDevice) null),
                100,
                Level.DOUBTFUL,
                "writable layer of a container");
        assertJudged(
                new Cases().mount("zfs", "pool/data", "rw").on((BlockDevice) null), 100, Level.DOUBTFUL, "(pool/data)");
        assertJudged(new Cases().on("nvme0n1", null), 100, Level.DOUBTFUL, "does not tell whether");
    }

    @Test
    void shouldDoubtAVirtualDiskThatTakesNoFlushes() {
        assertJudged(new Cases().on("vda", "write through"), 40, Level.DOUBTFUL, "only the host knows");
        BlockDevice emulated =
                new BlockDevice("sda", "sda", null, List.of(), "QEMU HARDDISK", "write through", false, true, null);
        assertJudged(new Cases().on(emulated), 40, Level.DOUBTFUL, "only the host knows");
    }

    @Test
    void shouldDoubtADiskThatTurnsTooFast() {
        assertJudged(new Cases().on("sda", "write back"), 90, Level.DOUBTFUL, "turns, and yet");
    }

    @Test
    void shouldDoubtWhatIsBehindAnotherFileOrServer() {
        assertJudged(new Cases().on("loop3", "write back"), 100, Level.DOUBTFUL, "loop device loop3");
        assertJudged(new Cases().on("rbd0", "write through"), 900, Level.DOUBTFUL, "Ceph block device rbd0");
    }

    @Test
    void shouldNameEveryReason() {
        Belief belief = belief(new Cases().options("rw", "nobarrier"), 5);

        assertThat(belief.findings()).hasSize(2);
        assertThat(belief.level()).isEqualTo(Level.NOT_BELIEVED);
    }
}
