package io.persist.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.doctor.machine.FakeSystem;
import io.persist.bench.doctor.machine.SystemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceWritesTest {

    private static final String STAT =
            "  483172    72668 17075866   392417  1430213   301581 1058523360 10808939       26   660672";

    @TempDir
    Path directory;

    @TempDir
    Path root;

    @Test
    void shouldCountSectorsOfThePartitionThatIsMounted() {
        FakeSystem system = new FakeSystem(root)
                .mounted("254:1", "ext4", "/dev/vda1", "rw")
                .disk("vda", "254:0", "write back")
                .partition("vda", "vda1", "254:1")
                .file("sys/devices/bus/block/vda/stat", "1 1 1 1 1 1 1 1")
                .file("sys/devices/bus/block/vda/vda1/stat", STAT);
        DeviceWrites writes = DeviceWrites.of(directory.resolve("not/there/yet"), system.files());

        assertThat(writes.bytes()).hasValue(1_058_523_360L * 512);
        assertThat(writes.describe()).isEqualTo("virtio disk vda1");

        system.file("sys/devices/bus/block/vda/vda1/stat", STAT.replace("1058523360", "1058523370"));
        assertThat(writes.bytes()).hasValue(1_058_523_370L * 512);
    }

    @Test
    void shouldSayWhyThereIsNothingToCount() {
        DeviceWrites memory = DeviceWrites.of(
                directory,
                new FakeSystem(root).mounted("0:23", "tmpfs", "tmpfs", "rw").files());
        DeviceWrites remote = DeviceWrites.of(
                directory,
                new FakeSystem(root).mounted("0:24", "nfs4", "host:/x", "rw").files());

        assertThat(memory.bytes()).isEmpty();
        assertThat(memory.describe()).isEqualTo("tmpfs is in memory");
        assertThat(remote.bytes()).isEmpty();
        assertThat(remote.describe()).isEqualTo("nfs4 is on no device that can be seen");
    }

    @Test
    void shouldNotFailWhereNothingIsKnown() throws IOException {
        assertThat(DeviceWrites.of(directory, new SystemFiles(Files.createDirectory(root.resolve("empty"))))
                        .describe())
                .isEqualTo("what is mounted there cannot be seen");

        FakeSystem odd =
                new FakeSystem(root).mounted("254:0", "ext4", "/dev/vda", "rw").disk("vda", "254:0", "write back");
        assertThat(DeviceWrites.of(directory, odd.files()).bytes()).isEmpty();
        odd.file("sys/devices/bus/block/vda/stat", "1 2 3 4 5 6 -");
        assertThat(DeviceWrites.of(directory, odd.files()).bytes()).isEmpty();
    }
}
