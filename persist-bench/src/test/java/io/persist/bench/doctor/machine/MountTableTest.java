package io.persist.bench.doctor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountTableTest {

    private static final MountTable TABLE = MountTable.parse(List.of(
            "22 27 0:21 / /proc rw,relatime - proc proc rw",
            "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,resuid=65534",
            "30 27 259:2 / /data rw,noatime shared:1 master:2 - xfs /dev/nvme0n1p2 rw,attr2",
            "31 27 259:3 / /data/logs rw - ext4 /dev/old rw",
            "32 31 259:4 / /data/logs rw - btrfs /dev/new rw",
            "33 27 0:50 /sub /with\\040blank rw - nfs4 server:/a\\134b rw",
            "nonsense"));

    @Test
    void shouldFindTheLongestMountPointAboveAPath() {
        assertThat(of("/home/user")).extracting(Mount::type).isEqualTo("ext4");
        assertThat(of("/data")).extracting(Mount::type).isEqualTo("xfs");
        assertThat(of("/database")).extracting(Mount::type).isEqualTo("ext4");
        assertThat(of("/data/log")).extracting(Mount::point).isEqualTo("/data");
    }

    @Test
    void shouldFindTheLastOfSeveralMountsAtAPoint() {
        assertThat(of("/data/logs/orders")).extracting(Mount::source).isEqualTo("/dev/new");
    }

    @Test
    void shouldReadWhatIsEscaped() {
        assertThat(of("/with blank/x"))
                .isEqualTo(new Mount("0:50", "/with blank", "nfs4", "server:/a\\b", List.of("rw")));
    }

    @Test
    void shouldJoinTheOptionsOfTheMountAndTheFileSystem() {
        assertThat(of("/").options()).containsExactly("rw", "relatime", "discard", "resuid=65534");
        assertThat(of("/data").describe()).isEqualTo("xfs (rw,noatime,attr2)");
    }

    @Test
    void shouldFindNothingInAnEmptyTable() {
        assertThat(MountTable.parse(List.of()).of(Path.of("/"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "cifs", "9p", "fuse.sshfs", "fuseblk", "virtiofs"})
    void shouldKnowWhatOthersKeep(String type) {
        assertThat(mount(type).isRemote()).isTrue();
        assertThat(mount(type).isMemory()).isFalse();
    }

    @Test
    void shouldTellLocalFileSystemsApart() {
        assertThat(mount("ext4").isRemote()
                        || mount("ext4").isMemory()
                        || mount("ext4").copiesOnWrite())
                .isFalse();
        assertThat(mount("tmpfs").isMemory()).isTrue();
        assertThat(mount("btrfs").copiesOnWrite()).isTrue();
        assertThat(mount("overlay").isOverlay()).isTrue();
    }

    @Test
    void shouldLeaveTheFoldersOfAnOverlayOut() {
        Mount overlay = new Mount("0:9", "/", "overlay", "overlay", List.of("rw", "lowerdir=/a:/b", "upperdir=/c"));
        assertThat(overlay.describe()).isEqualTo("overlay (rw)");
    }

    private static Mount mount(String type) {
        return new Mount("0:1", "/", type, "source", List.of("rw"));
    }

    private static Mount of(String path) {
        return TABLE.of(Path.of(path));
    }
}
