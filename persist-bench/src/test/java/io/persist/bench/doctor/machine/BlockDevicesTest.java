package io.persist.bench.doctor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockDevicesTest {

    @TempDir
    Path root;

    private FakeSystem system;

    @BeforeEach
    void makeASystem() {
        system = new FakeSystem(root);
    }

    private BlockDevice find(String number, String source) {
        return new BlockDevices(system.files()).of(new Mount(number, "/", "ext4", source, List.of("rw")));
    }

    @Test
    void shouldFindADiskByItsNumber() {
        system.disk("vda", "254:0", "write back");

        BlockDevice device = find("254:0", "/dev/root");

        assertThat(device)
                .isEqualTo(
                        new BlockDevice("vda", "vda", null, List.of(), null, "write back", false, true, "mq-deadline"));
        assertThat(device.describe()).isEqualTo("virtio disk vda");
        assertThat(device.turns()).isFalse();
    }

    @Test
    void shouldAskTheDiskOfAPartition() {
        system.disk("sdb", "8:16", "write through").partition("sdb", "sdb2", "8:18");
        system.file("sys/devices/bus/block/sdb/device/model", "TOSHIBA MG08  ");

        BlockDevice device = find("8:18", "/dev/sdb2");

        assertThat(device.describe()).isEqualTo("SCSI or SATA disk sdb2 (TOSHIBA MG08)");
        assertThat(device.disk()).isEqualTo("sdb");
        assertThat(device.hasNoVolatileCache()).isTrue();
        assertThat(device.turns()).isTrue();
    }

    @Test
    void shouldFindTheDisksBelowAVolume() {
        system.disk("nvme0n1", "259:0", "write back").partition("nvme0n1", "nvme0n1p3", "259:3");
        system.disk("dm-0", "253:0", "write back").file("sys/devices/bus/block/dm-0/dm/name", "crypt");
        system.disk("dm-1", "253:1", "write back").file("sys/devices/bus/block/dm-1/dm/name", "vg-data");
        system.file("sys/devices/bus/block/dm-1/slaves/dm-0/dev", "253:0");
        system.file("sys/devices/bus/block/dm-0/slaves/nvme0n1p3/dev", "259:3");

        assertThat(find("253:1", "/dev/mapper/vg-data").describe())
                .isEqualTo("device-mapper volume vg-data (dm-1) on nvme0n1");
        assertThat(find("0:40", "/dev/mapper/vg-data")).isEqualTo(find("253:1", ""));
    }

    @Test
    void shouldFindTheDeviceThatABtrfsNames() {
        system.disk("sda", "8:0", "write back").partition("sda", "sda1", "8:1");

        assertThat(find("0:41", "/dev/sda1").disk()).isEqualTo("sda");
        assertThat(find("0:41", "pool/data")).isNull();
        assertThat(find("0:41", "/dev/gone")).isNull();
    }

    @Test
    void shouldTakeWhatIsMissingForUnknown() {
        system.file("sys/class/block/xvda/dev", "202:0");

        assertThat(find("202:0", "/dev/xvda"))
                .isEqualTo(new BlockDevice("xvda", "xvda", null, List.of(), null, null, null, null, null));
        assertThat(find("202:0", "").describeCache()).isEqualTo("write cache unknown");
    }
}
