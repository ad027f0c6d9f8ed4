# Texture and surface objects.
$ warplens run --no-profile textures
$ warplens run --no-profile textures trap
warplens: fault: out-of-bounds read of a surface
  kernel  trap
  at      textures:31: suld.b.2d.b32.trap {%r3}, [%rd1, {%r2, %r3}]
  block   (0,0,0), thread (16,0,0)
warplens: 1 fault
? 2
$ warplens run --no-profile textures stale
warplens: fault: 0x100001 is no texture object
  kernel  fetch
  at      textures:68: tex.a2d.v4.u32.f32 {%r2, %r3, _, _}, [%rd1, {%r1, %r1, %r1, %r1}]
  block   (0,0,0), thread (0,0,0)
warplens: 1 fault
? 2
$ warplens run --no-profile textures surface
warplens: fault: 0x100001 is a texture object, not a surface object
  kernel  trap
  at      textures:31: suld.b.2d.b32.trap {%r3}, [%rd1, {%r2, %r3}]
  block   (0,0,0), thread (0,0,0)
warplens: 1 fault
? 2
