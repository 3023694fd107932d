package io.persist.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.doctor.machine.FakeSystem;
import io.persist.bench.doctor.machine.SystemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FingerprintTest {

    @TempDir
    Path directory;

    @TempDir
    Path root;

    @Test
    void shouldNameTheDiskAndWhatItTook() {
        Fingerprint fingerprint = Fingerprint.of(
                directory,
                new FakeSystem(root)
                        .mounted("259:0", "ext4", "/dev/pmem0", "rw,relatime,discard")
                        .disk("pmem0", "259:0", "write back")
                        .file("proc/cpuinfo", "model name : Some CPU")
                        .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
                        .files());

        assertThat(fingerprint.describe()).hasSize(3);
        assertThat(fingerprint.describe().get(0))
                .isEqualTo("Disk: ext4 (rw,relatime,discard) on persistent memory pmem0, write-back cache");
        assertThat(fingerprint.describe().get(1))
                .matches("Sync: 4 KiB write \\+ fdatasync p50 [\\d.]+ us, max [\\d.]+ us, of \\d+");
        assertThat(fingerprint.describe().get(2))
                .startsWith("Host: Some CPU, ")
                .endsWith(" CPUs, governor unknown, load unknown, THP madvise, memory unknown, swap unknown");
        assertThat(fingerprint.asMap())
                .containsEntry("file system", "ext4 (rw,relatime,discard)")
                .containsEntry("device", "persistent memory pmem0")
                .containsEntry("write cache", "write back")
                .containsEntry("CPU", "Some CPU")
                .containsKeys("memory", "CPU governor", "transparent huge pages", "kernel");
        assertThat(fingerprint.asMap().get("synced write p50")).matches("[\\d.]+ us");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldWarnOfASyncThatCannotBeBelieved() {
        Fingerprint fingerprint = Fingerprint.of(
                directory,
                new FakeSystem(root).mounted("0:23", "tmpfs", "tmpfs", "rw").files());

        assertThat(fingerprint.describe().get(0)).isEqualTo("Disk: tmpfs (rw,relatime) on no device, but in memory");
        assertThat(fingerprint.describe().get(1)).endsWith("Do not believe it: see bin/persist doctor");
    }

    @Test
    void shouldSayWhyThereIsNoMeasurementAndNotFail() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");

        Fingerprint fingerprint = Fingerprint.of(file, new SystemFiles(root));

        assertThat(fingerprint.describe().get(1)).contains("not measured (it is no directory)");
        assertThat(fingerprint.asMap()).containsEntry("synced write p50", "not measured (it is no directory)");
    }

    @Test
    void shouldMeasureWhereADirectoryWillBe() {
        Fingerprint fingerprint = Fingerprint.of(directory.resolve("a/b"));

        assertThat(fingerprint.describe().get(1)).contains("p50 ");
        assertThat(directory).isEmptyDirectory();
    }
}
