package io.persist.bench.doctor.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.doctor.diagnosis.Finding.Severity;
import io.persist.bench.doctor.disk.Operation;
import io.persist.bench.doctor.disk.Space;
import io.persist.bench.doctor.machine.BlockDevice;
import io.persist.bench.doctor.machine.Host;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

    private static List<String> settings(Diagnosis diagnosis) {
        return diagnosis.choices().stream()
                .map(choice -> choice.name() + " " + choice.value())
                .toList();
    }

    private static void assertHint(Cases cases, Severity severity, String words) {
        assertThat(cases.diagnosis().findings()).anySatisfy(finding -> {
            assertThat(finding.severity()).isEqualTo(severity);
            assertThat(finding.what()).contains(words);
            assertThat(finding.remedy()).isNotBlank();
        });
        assertThat(cases.diagnosis().isUsable()).isTrue();
    }

    @Test
    void shouldSayWhatItCostsFirst() {
        Diagnosis diagnosis =
                new Cases().syncs(100).took(Operation.DSYNC, Space.ZEROS, 60).diagnosis();

        assertThat(diagnosis.verdict().get(0))
                .isEqualTo("A SYNCED commit will cost about 60 us here (p99 120 us, the longest of 1,000 was 120 us),"
                        + " in mode FILE; in mode MAPPED about 100 us.");
        assertThat(diagnosis.verdict().get(1)).startsWith("It can be believed");
        assertThat(diagnosis.verdict().get(2)).startsWith("Expect about 17,000 SYNCED commits per second");
        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.isUsable()).isTrue();
    }

    @Test
    void shouldChooseTheModeThatSyncsFasterAndTheDefaultOtherwise() {
        assertThat(settings(new Cases()
                        .syncs(89)
                        .took(Operation.DSYNC, Space.ZEROS, 100)
                        .diagnosis()))
                .contains("writeMode MAPPED");
        assertThat(settings(new Cases()
                        .syncs(91)
                        .took(Operation.DSYNC, Space.ZEROS, 100)
                        .diagnosis()))
                .contains("writeMode FILE");
        Cases few = new Cases().samples(199).syncs(50).took(Operation.DSYNC, Space.ZEROS, 100);
        assertThat(settings(few.diagnosis())).contains("writeMode FILE");
        Cases noMappings =
                new Cases().took(Operation.FDATASYNC, Space.ZEROS, 100).took(Operation.DSYNC, Space.ZEROS, 120);
        assertThat(noMappings.diagnosis().verdict().get(0)).endsWith("refuses mappings.");
        assertThat(settings(noMappings.diagnosis())).contains("writeMode FILE");
    }

    @Test
    void shouldPromiseNothingWhereASyncCannotBeBelieved() {
        Diagnosis diagnosis = new Cases().syncs(4).diagnosis();

        assertThat(diagnosis.isUsable()).isFalse();
        assertThat(diagnosis.choices()).isEmpty();
        assertThat(diagnosis.verdict().get(0)).startsWith("A SYNCED commit cannot be believed here. The middle one");
        assertThat(diagnosis.verdict()).noneMatch(sentence -> sentence.startsWith("Expect"));
    }

    @Test
    void shouldNotBelieveIfOnlyOneWayOfSyncingIsTooFast() {
        assertThat(new Cases()
                        .syncs(100)
                        .took(Operation.DSYNC, Space.ZEROS, 4)
                        .diagnosis()
                        .isUsable())
                .isFalse();
    }

    @Test
    void shouldLeaveADoubtOpenAndBeUsable() {
        Diagnosis diagnosis = new Cases().syncs(40).on("vda", "write through").diagnosis();

        assertThat(diagnosis.isUsable()).isTrue();
        assertThat(diagnosis.verdict().get(1)).startsWith("Whether it can be believed is open. The virtio disk vda");
    }

    @Test
    void shouldAdviseToRecycleWhereAGrowingFileIsMuchDearer() {
        Cases cases = new Cases().syncs(100).took(Operation.FDATASYNC, Space.GROWING, 131);
        assertThat(settings(cases.diagnosis())).contains("Retirement RECYCLE");
        cases.took(Operation.FDATASYNC, Space.GROWING, 130);
        assertThat(settings(cases.diagnosis())).doesNotContain("Retirement RECYCLE");
    }

    @Test
    void shouldFitTheFillingToTheDisk() {
        assertThat(settings(new Cases().syncs(100).diagnosis())).noneMatch(setting -> setting.startsWith("fill"));
        assertThat(settings(new Cases().syncs(100).sequential(200 << 20).diagnosis()))
                .contains("fillBytesPerSecond 100 << 20")
                .noneMatch(setting -> setting.startsWith("segmentLength"));
        assertThat(settings(new Cases().syncs(100).sequential(20 << 20).diagnosis()))
                .contains("fillBytesPerSecond 10 << 20", "segmentLength 16 << 20");
    }

    @Test
    void shouldAdviseToSyncInTheBackgroundWhereASyncIsSlow() {
        assertThat(settings(new Cases().syncs(999).diagnosis())).noneMatch(setting -> setting.startsWith("sync"));
        assertThat(settings(new Cases().syncs(1000).diagnosis())).contains("syncInterval Duration.ofMillis(10)");
        assertThat(settings(new Cases().syncs(8000).diagnosis())).contains("syncInterval Duration.ofMillis(32)");
    }

    @Test
    void shouldHintAtWhatTheMeasurementsShow() {
        assertHint(
                new Cases().syncs(100).took(Operation.FDATASYNC, Space.ZEROS, 100, 1001),
                Severity.WARNING,
                "One of 100 synced writes took 1.0 ms or longer, 10 times");
        assertThat(new Cases()
                        .samples(99)
                        .syncs(100)
                        .took(Operation.FDATASYNC, Space.ZEROS, 100, 1001)
                        .diagnosis()
                        .findings())
                .as("too few for one of 100")
                .isEmpty();
        assertHint(
                new Cases().syncs(50).took(Operation.MAPPED_FORCE, Space.ZEROS_BY_MIB, 640),
                Severity.NOTE,
                "took 640 us instead of 50 us");
    }

    @Test
    void shouldHintAtTheFileSystem() {
        assertHint(new Cases().syncs(100).free(Cases.GIB - 1), Severity.WARNING, "1024.0 MiB of 200.0 GiB are free");
        assertHint(new Cases().syncs(100).free(9 * Cases.GIB), Severity.WARNING, "9.0 GiB of 200.0 GiB are free");
        assertHint(new Cases().syncs(100).mount("btrfs", "/dev/sda", "rw"), Severity.WARNING, "btrfs writes changed");
        assertHint(new Cases().syncs(100).options("rw", "sync"), Severity.WARNING, "mount option sync");
        assertHint(new Cases().syncs(100).options("rw", "data=journal"), Severity.WARNING, "written twice");
        assertHint(new Cases().syncs(100).options("rw", "data=writeback"), Severity.NOTE, "data=writeback");
        assertHint(new Cases().syncs(100).options("rw", "discard"), Severity.NOTE, "discard");
        assertHint(new Cases().syncs(100).system("Mac OS X"), Severity.WARNING, "This is Mac OS X");
    }

    @Test
    void shouldWarnOfWhatSystemsClean() {
        for (String cleaned : List.of("/tmp", "/var/tmp")) {
            assertHint(new Cases().syncs(90).in(cleaned), Severity.WARNING, "below " + cleaned);
            assertHint(new Cases().syncs(90).in(cleaned + "/log"), Severity.WARNING, "below " + cleaned);
        }
        for (String kept : List.of("/tmpfiles/log", "/var/lib/tmp")) {
            assertThat(new Cases().syncs(90).in(kept).diagnosis().findings()).isEmpty();
        }
    }

    @Test
    void shouldHintAtTheDisk() {
        assertHint(new Cases().syncs(8000).on("sda", "write back"), Severity.WARNING, "The disk turns");
        BlockDevice bfq = new BlockDevice("sdb", "sdb", null, List.of(), null, "write back", true, false, "bfq");
        assertHint(new Cases().syncs(100).on(bfq), Severity.NOTE, "scheduler bfq");
    }

    @Test
    void shouldHintAtTheMachine() {
        Host small = new Host(
                "CPU", 1, 0.5, 8L << 30, 256.0 * (1 << 20), "259:0 wbps=1", 1L, 1L, "6.1", null, "powersave", 1.1);
        Cases cases = new Cases().syncs(100).host(small);
        assertHint(cases, Severity.WARNING, "may use 0.5 of 1 CPU:");
        assertHint(cases, Severity.WARNING, "256.0 MiB of memory");
        assertHint(cases, Severity.WARNING, "limits I/O (259:0 wbps=1)");
        assertHint(cases, Severity.WARNING, "the load was 1.1 with 1 CPU,");
        assertThat(cases.diagnosis().verdict()).anyMatch(sentence -> sentence.startsWith("But the machine was busy"));
        assertHint(cases, Severity.NOTE, "Swap is in use");
        assertHint(cases, Severity.NOTE, "governor is powersave");
        assertHint(cases, Severity.NOTE, "There is one CPU");
    }

    @Test
    void shouldPutTheWorstFirst() {
        Diagnosis diagnosis = new Cases()
                .syncs(100)
                .options("rw", "discard", "nobarrier")
                .free(5)
                .diagnosis();

        assertThat(diagnosis.findings())
                .extracting(Finding::severity)
                .isSortedAccordingTo(Comparator.naturalOrder())
                .contains(Severity.UNSAFE, Severity.WARNING, Severity.NOTE);
    }

    @Test
    void shouldNeedASyncedWrite() {
        assertThatThrownBy(() -> new Cases().diagnosis()).isInstanceOf(IllegalArgumentException.class);
    }
}
